"""Many fits of one model, in processes."""
from __future__ import annotations

import concurrent.futures
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from typing import Any, Callable, Iterable, List, Optional, Sequence, Tuple, Union

from sfgp._checks import shapes_of, whole
from sfgp._fit import Fit
from sfgp._landmarks import checked_pair
from sfgp._library import Error, FitWarning, Session, Status
from sfgp._model import Model, prior, settings_from
from sfgp._shapes import ShapeLike, faces_of_fit, points_of


def batch(reference: Any, targets: Iterable[ShapeLike], *, train: Optional[Iterable[ShapeLike]] = None,
          landmarks: Optional[Sequence[Optional[Tuple[Any, Any]]]] = None, landmark_sd: float = 0.0, save: Any = None,
          processes: Optional[int] = None, progress: Union[bool, Callable[[int, int], object]] = True,
          **settings: Any) -> List[Union[Fit, Error]]:
    """Fits one model to many scans, in processes of one thread each. The fits have the bits of :func:`sfgp.register`.

    Args:
        reference: as in :func:`sfgp.register`
        targets: a list of scans: paths, arrays or meshes
        train: as in :func:`sfgp.register`
        landmarks: one pair for each target, as in :func:`sfgp.register`; None for a target without
        landmark_sd: as in :func:`sfgp.register`
        save: a folder, which is made; fit k is written to ``k.h5`` in it (``sfgp apply``). Without it the fits that come back
            have their arrays, but cannot move points or be sampled
        processes: at a time; None: one for each processor
        progress: True: a bar on stderr, if that is a terminal; or called with the numbers of fits that are done and of all
        settings: as in :func:`sfgp.register`

    Returns:
        a fit for each target, in their order, or the :class:`sfgp.Error` of a target that was refused, or whose process was killed
    """
    if landmarks is None and landmark_sd != 0:
        raise ValueError("landmark_sd: there are no landmarks")
    scans = [scan if isinstance(scan, (str, os.PathLike)) else points_of(scan, f"targets[{k}]")
             for k, scan in enumerate(shapes_of("targets", targets))]
    processes = os.cpu_count() or 1 if processes is None else whole("processes", processes, 1, 1 << 20)
    model, faces, own = _split(reference, train, settings)
    tasks = list(zip(scans, _pairs(landmarks, len(scans), model.dimension)))
    processes = min(processes, max(len(tasks), 1))
    if save is not None:
        pathlib.Path(save).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.h5")
        model.write(path)
        job = {"model": path, "settings": {**own, "threads": 1}, "landmark_sd": landmark_sd,
               "save": None if save is None else os.path.abspath(save)}
        results = _run(job, tasks, processes, _Bar(len(tasks), progress))
    for k, result in enumerate(results):
        if isinstance(result, Fit):
            result.faces = faces_of_fit(faces, result.report)
            for warning in result.report["warnings"]:
                warnings.warn(f"target {k}: {warning}", FitWarning, stacklevel=2)
    return results


def _split(reference: Any, train: Any, settings: dict[str, Any]) -> Tuple[Model, Any, dict[str, Any]]:
    """The model, its faces, and the settings that are not the model's."""
    with Session() as session:
        pointer, faces = prior(session, reference, train, settings_from(session, settings))
    of_model = () if isinstance(reference, Model) else ("kernel", "align_training", "lowrank", "rank", "accuracy")
    return Model(pointer), faces, {name: value for name, value in settings.items() if name not in of_model}


def _pairs(landmarks: Any, count: int, dimension: int) -> List[Any]:
    """The landmarks of each target."""
    if landmarks is None:
        return [None] * count
    if len(landmarks) != count:
        raise ValueError(f"landmarks: {len(landmarks)} for {count} targets; give one pair for each target, or None in its place")
    return [None if pair is None else checked_pair(pair, dimension) for pair in landmarks]


class _Bar:
    """Progress as a line on the terminal, or to a function. Called by several threads."""

    def __init__(self, count: int, progress: Union[bool, Callable[[int, int], object]]) -> None:
        self.count, self.done, self.start, self.lock = count, 0, time.monotonic(), threading.Lock()
        self.tell = progress if callable(progress) else self.draw if progress and sys.stderr.isatty() else None

    def step(self) -> None:
        with self.lock:
            self.done += 1
            if self.tell:
                self.tell(self.done, self.count)

    def draw(self, done: int, count: int) -> None:
        left = (time.monotonic() - self.start) / done * (count - done)
        filled = 30 * done // count
        print(f"\rsfgp: [{'#' * filled}{'.' * (30 - filled)}] {done} of {count}, {left:.0f} s left ", end="", file=sys.stderr)
        print(end="\n" if done == count else "", file=sys.stderr, flush=True)


class _Worker:
    """A process of sfgp._worker: gets tasks and gives results, pickled, through its standard streams."""

    def __init__(self) -> None:
        path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
        self.process = subprocess.Popen([sys.executable, "-m", "sfgp._worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, "PYTHONPATH": path})

    def send(self, item: Any) -> None:
        assert self.process.stdin
        pickle.dump(item, self.process.stdin, pickle.HIGHEST_PROTOCOL)
        self.process.stdin.flush()

    def call(self, item: Any) -> Any:
        assert self.process.stdout
        self.send(item)
        return pickle.load(self.process.stdout)

    def loss(self, k: int, killed_here: bool) -> Error:
        """The error of the target whose process was killed, as by the kernel when memory runs out. A process that ends by itself, as one
        that finds no package, would do so at every target."""
        code = self.process.wait()
        if killed_here or code >= 0:
            raise RuntimeError(f"target {k}: the process that fitted it ended with code {code}") from None
        return Error(Status.ERROR_MEMORY, f"target {k}: the process that fitted it was killed by signal {-code}; is there too little "
                                          "memory? Fewer processes need less")

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


def _run(job: Any, tasks: Sequence[Any], processes: int, bar: _Bar) -> List[Any]:
    """Threads that wait for a process each. When one of them or the caller is interrupted, all processes end."""
    workers: List[_Worker] = []
    own, over = threading.local(), threading.Event()

    def fit(k: int) -> Any:
        try:
            if not hasattr(own, "worker"):
                own.worker = _Worker()
                workers.append(own.worker)
                own.worker.send(job)
            result = own.worker.call((k, *tasks[k]))
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            result = own.worker.loss(k, killed_here=over.is_set())
            own.__dict__.clear()  # the next target has a new process
        bar.step()
        return result

    pool = concurrent.futures.ThreadPoolExecutor(processes)
    try:
        results = list(pool.map(fit, range(len(tasks))))
    finally:
        over.set()
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.process.kill()
        pool.shutdown()
        for worker in workers:  # also those that were started meanwhile
            worker.end()
    for result in results:
        if isinstance(result, Exception) and not isinstance(result, Error):
            raise result
    return results
