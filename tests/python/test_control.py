"""Errors, warnings, progress, interrupts, threads and leaks."""
import ctypes
import gc
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import sfgp
from conftest import DEMO, SOURCE

PAIR = (DEMO / "reference.ply", DEMO / "scan.ply")


@pytest.mark.parametrize("said, here", [
    ("lead (--adapt 0 takes the reference as it is)", "lead (adapt=0 takes the reference as it is)"),
    ("a larger --accuracy or a --rank, --rank 12 instead", "a larger accuracy= or a rank=, rank=12 instead"),
    ("use --lowrank cholesky, or --method sfgp-scalar", 'use lowrank="cholesky", or method="sfgp-scalar"'),
    ("(--align-training rigid) takes", '(align_training="rigid") takes'),
    ("landmarks (--landmarks), shapes (--train)", "landmarks (landmarks=), shapes (train=)"),
    ("then --target-scale 1000", "then sfgp.read(path, scale=1000)"),
    ("one unit (--target-scale)", "one unit (scale= of sfgp.read)"),
    ("e.g. --columns 2,3,4", 'e.g. sfgp.read(path, columns="2,3,4")'),
    ("a mesh is expected here; landmarks go to sfgp apply, --landmarks of sfgp register, align and batch and, two files of them, sfgp evaluate",
     "a mesh is expected here; sfgp.read_landmarks reads landmarks"),
    ("sfgp evaluate --surface compares", "sfgp.evaluate_surfaces compares"),
    ("a--rank.ply, --no-such 3: no file", "a--rank.ply, --no-such 3: no file"),
])
def test_flags_of_the_program_are_arguments(said, here):
    assert sfgp._words.in_python(said) == here


def test_every_flag_that_the_library_names_is_an_argument():
    """The program and what belongs to it alone have other words."""
    texts = [(file.name, text) for file in (SOURCE / "src").glob("*/*.c") if file.parent.name not in ("cli", "batch", "study", "r", "page")
             for text in re.findall(r'"((?:[^"\\]|\\.)*)"', file.read_text()) if re.search(r"(^|[ (])--[a-z]", text)]
    assert len(texts) > 20
    assert not [(name, text) for name, text in texts if "--" in sfgp._words.in_python(text)]


def test_messages_name_arguments(tmp_path):
    (tmp_path / "many.txt").write_text("1 2 3 4\n")
    with pytest.raises(sfgp.Error, match=r'sfgp\.read\(path, columns="'):
        sfgp.read(tmp_path / "many.txt")
    reference = sfgp.read(PAIR[0])
    with pytest.warns(sfgp.FitWarning, match=r"then sfgp\.read\(path, scale=1000\)"):
        fit = sfgp.register(reference, sfgp.read(PAIR[1], scale=0.001), max_iterations=1, effort="quick")
    assert not any("--" in warning for warning in fit.report["warnings"])


def test_statuses_are_those_of_the_header():
    header = sfgp._library.ffi.typeof("sfgp_status").relements
    assert {"SFGP_" + status.name: status.value for status in sfgp.Status} == header


@pytest.mark.parametrize("call, status, words", [
    (lambda: sfgp.read("no-such.ply"), sfgp.Status.ERROR_READ, "no-such.ply"),
    (lambda: sfgp.read(__file__), sfgp.Status.ERROR_FORMAT, "test_control.py"),
    (lambda: sfgp.register(*PAIR, tolerance=-1), sfgp.Status.ERROR_PARAMETER, "tolerance"),
    (lambda: sfgp.register(*PAIR, no_such_setting=1), sfgp.Status.ERROR_PARAMETER, "no_such_setting"),
    (lambda: sfgp.register(np.full((9, 3), np.nan), PAIR[1]), sfgp.Status.ERROR_DATA, "point 0"),
    (lambda: sfgp.write("x.unknown", np.zeros((1, 3))), sfgp.Status.ERROR_PARAMETER, "x.unknown"),
])
def test_errors_have_a_status(call, status, words):
    with pytest.raises(sfgp.Error, match=words) as caught:
        call()
    assert caught.value.status is status
    assert pickle.loads(pickle.dumps(caught.value)).status is status


def test_warnings_name_the_line_that_called(curve):
    with pytest.warns(sfgp.FitWarning, match="anisotropy") as caught:
        fit = sfgp.register(*curve, anisotropy=0.5)
    assert caught[0].filename == __file__ and "anisotropy" in fit.report["warnings"][0]


def test_progress_goes_up():
    seen = []
    sfgp.register(*PAIR, progress=seen.append, threads=1)
    fractions = [state.fraction for state in seen]
    assert len(seen) > 3 and fractions == sorted(fractions) and 0 < fractions[0] < 0.5 < fractions[-1] <= 1
    assert all(0 <= state.missing <= 1 and state.iteration > 0 for state in seen)


def test_what_progress_raises_ends_the_fit():
    def stop(state):
        if state.fraction > 0.2:
            raise LookupError("enough")
    with pytest.raises(LookupError, match="enough"):
        sfgp.register(*PAIR, progress=stop)


@pytest.mark.parametrize("delay", [0.15, 0.6])  # in the search, and beyond it
def test_an_interrupt_ends_a_fit(delay):
    """Of its own time the thread of the fit may use 0.2 s after the signal: other work on the machine does not count."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in the background
    clock = time.pthread_getcpuclockid(threading.main_thread().ident)
    sent = []

    def interrupt():
        sent.append(time.clock_gettime(clock))
        os.kill(os.getpid(), signal.SIGINT)

    model = sfgp.Model.build(PAIR[0])
    timer = threading.Timer(delay, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sfgp.register(model, PAIR[1], tolerance=1e-12)
        timer.join()
    assert time.clock_gettime(clock) - sent[0] < 0.2


def test_threads_share_a_model(curve):
    reference, scan = curve
    model = sfgp.Model.build(reference)
    alone = sfgp.register(reference, scan, threads=1)
    fits = [None] * 8

    def fit(k):
        fits[k] = sfgp.register(model, scan, threads=1)
        fits[k].apply(reference)

    threads = [threading.Thread(target=fit, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((fit.points == alone.points).all() and (fit.sd == alone.sd).all() for fit in fits)


def test_other_threads_run_during_a_fit():
    counts, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counts[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = counts[0]
    sfgp.register(*PAIR, threads=1)
    during = counts[0] - before
    stop.set()
    thread.join()
    assert during > 20


def allocated():
    """Bytes that malloc has given out, small and mapped. Resident memory is no measure: a heap of many blocks grows by some MB without a leak."""
    fields = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    info = type("mallinfo2", (ctypes.Structure,), {"_fields_": [(name, ctypes.c_size_t) for name in fields]})
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallinfo2"):
        pytest.skip("no mallinfo2: the C library is not glibc 2.33 or newer")
    library.mallinfo2.restype = info
    now = library.mallinfo2()
    return now.uordblks + now.hblkhd


def test_nothing_leaks(curve):
    """1000 fits, of which half are ended, and 500 samples. 130 bytes of each pair of fits that leak are seen."""
    reference, scan = curve

    def stop(state):
        raise LookupError

    def round_trip():
        fit = sfgp.register(reference, scan, method="sfgp-scalar", threads=1)
        fit.apply(reference)
        fit.samples(1)
        with pytest.raises(LookupError):
            sfgp.register(reference, scan, progress=stop, threads=1)

    for _ in range(20):
        round_trip()
    gc.collect()
    before, references = allocated(), (sys.getrefcount(reference), sys.getrefcount(scan))
    for _ in range(500):
        round_trip()
    gc.collect()
    assert allocated() - before < 1 << 16
    assert (sys.getrefcount(reference), sys.getrefcount(scan)) == references


def test_the_environment_stays_as_it_was():
    code = "import os; before = dict(os.environ); import sfgp; assert dict(os.environ) == before"
    subprocess.run([sys.executable, "-c", code], check=True)
