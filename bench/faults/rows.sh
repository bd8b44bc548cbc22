# The rows of docs/results/faults.md, read by run.sh. The numbers are those of the classes that tests name in their comments.
# Single quotes: $f is the input and belongs to the shell that runs the command.
# shellcheck shell=sh disable=SC2016
info='sfgp info $f'
fit='sfgp register ear/reference.ply $f -o out.ply --quiet'
same='sfgp evaluate $f 15/ascii.ply'

# ---- files -----------------------------------------------------------------------------------------------------------
files 1 'empty files' 4 '$f|empty' "$info" 1/*
files 2 'a folder as a file' 3 'folder' "$info" 2/*
commands 2 'a folder where another file is expected' '3|4' 'ear' <<'EOF'
sfgp register ear ear/scan.ply -o out.ply
sfgp model info ear
sfgp apply ear ear/scan.ply -o out.ply
sfgp compare ear -o studies
sfgp register ear/reference.ply ear/scan.ply -o out.ply --landmarks ear ear
sfgp evaluate ear/scan.ply ear/truth.ply --missing ear
EOF
commands 3 'a file that is not there' 3 'none' <<'EOF'
sfgp info none.ply
sfgp register none.ply ear/scan.ply -o out.ply
sfgp register ear/reference.ply none.ply -o out.ply
sfgp register ear/reference.ply ear/scan.ply --train none -o out.ply
sfgp model info none.h5
sfgp apply none.h5 ear/scan.ply -o out.ply
sfgp batch none.tsv -o batches --model ear/reference.ply
sfgp compare none.json -o studies
EOF
files 4 'a file without permission, as an unprivileged user' 3 'denied|permission' 'setpriv --reuid=65534 --clear-groups cat $f 2>/dev/null && exit 99; setpriv --reuid=65534 --clear-groups "$build/sfgp" info $f' 4/*
files 5 'a link to nothing' 3 dangling "$info" 5/*
[ -e pipe ] || mkfifo pipe
commands 6 'pipes and devices, wherever a file is read' '[2-6]' . <<'EOF'
sfgp info pipe
sfgp info /dev/zero
sfgp register ear/reference.ply pipe -o out.ply
sfgp register ear/reference.ply /dev/zero -o out.ply
sfgp register pipe ear/scan.ply -o out.ply
sfgp model info pipe
sfgp model info /dev/zero
sfgp apply pipe ear/scan.ply -o out.ply
sfgp batch pipe -o batches --model ear/reference.ply
sfgp batch /dev/zero -o batches --model ear/reference.ply
sfgp batch /dev/urandom -o batches --model ear/reference.ply
sfgp compare pipe -o studies
sfgp compare /dev/zero -o studies
sfgp register ear/reference.ply ear/scan.ply -o out.ply --config pipe
sfgp register ear/reference.ply ear/scan.ply -o out.ply --landmarks pipe pipe
sfgp evaluate ear/scan.ply ear/truth.ply --missing pipe
EOF
files 7 'ASCII PLY cut at every byte of its points' 4 ply "$info" 7/*
files 8 'and of its faces' 4 ply "$info" 8/*
files 9 'without the last end of line' 0 'points  *4' "$info" 9/*
files 10 'binary PLY cut at every byte' 4 ply "$info" 10/*
files 11 'more rows or bytes than the header says' '0|4' 'warning|error' "$info" 11/*
files 12 'counts that are huge, negative, empty or no numbers' 4 'ply' "$info" 12/*
files 13 'a list of 2^32 - 1 entries in a short file' 4 'list|byte' "$info" 13/*
files 14 'lists of 0, 1, 2, 255 and -3 entries' '0|4' . "$info" 14/*
files 15 'ASCII, little and big endian: the same shape' 0 '"p95": 0\.0' "$same" 15/*
files 16 'types of numbers and their other names: the same shape' 0 '"p95": 0\.0' "$same" 16/*
files 17 'other properties and another order: the same shape' 0 '"p95": 0\.0' "$same" 17/*
files 17 'a coordinate that is there twice' 4 x "$info" 17b/*
files 18 'no z, points twice, no element of points' 4 'PLY' "$info" 18/*
files 19 'no points' '[45]' 'point' "$info" 19/*
files 19 'no faces, or faces first' 0 'points  *4' "$info" 19b/*
files 20 'corners that are no points' 4 'point|corner|vertex|face' "$info" 20/*
files 21 'CRLF in the header of a binary file' 0 '"p95": 0\.0' "$same" 21/*
files 22 'lone carriage returns' 0 '"p95": 0\.0' "$same" 22/*
files 23 'line feed before carriage return' '0|4' . "$info" 23/*
files 24 'CRLF' 0 '"p95": 0\.0' "$same" 24/*
files 25 'a byte order mark of UTF-8' 0 'points  *4' "$info" 25/*
files 26 'UTF-16' 4 'UTF-16' "$info" 26/*
files 27 'NUL, a line of 1 MB, 1e5 comments, no end of the header' '[45]' . "$info" 27/*
files 28 'decimal commas' 4 'decimal|comma' "$info" 28/*
tests 29 'a host with decimal commas: every byte of files and output' test_io_format row_29
files 30 'what is not finite' 5 'finite|nan|inf|range|1e400' "$info" 30/*
files 30 'denormal numbers' 0 'points  *4' "$info" 30b/*
files 30 'what is no number' 4 line "$info" 30c/*
files 31 'rows of another length' 4 line "$info" 31/*
files 32 'comments, empty lines, tabs' 0 'points  *4' "$info" 32/*
files 32 'words among the numbers' 4 'line 2' "$info" 32b/*
files 33 'STL of another size than it says' 4 stl "$info" 33/*
files 33 'binary STL that begins with solid' 0 'points  *4' "$info" 33b/*
files 34 'relative corners, normals, colours, continued lines of OBJ: the same shape' 0 '"p95": 0\.0' "$same" 34/*
files 34 'OBJ with two coordinates, or corner 0' 4 'line' "$info" 34b/*
files 35 'another extension, or packed: the same shape' 0 '"p95": 0\.0' "$same" 35/*
files 35 'files of others under names of ours' 4 . "$info" 35b/*
tests 36 'files that change while they are read, and above 4 GiB' test_io_source row_36
script 37 'seeds and findings of the fuzzer, and changed copies of each, through 34 readers (sanitizers: the test command)' fuzz
tests 37 'every small change of a file' test_io_faults row_37

# ---- models ----------------------------------------------------------------------------------------------------------
files 38 'a model cut at blocks of 512 bytes' '[45]' h5 'sfgp model info $f' 38/*
files 39 'a flipped bit of a model: refused, or the same shape' '0|4' . 'sfgp model mean $f -o mean.ply && cmp mean.ply whole.ply' 39/*
files 40 'an empty model' 4 empty 'sfgp model info $f' 40/*
files 41 'a model that is no HDF5' '4' h5 'sfgp model info $f' 41/*
tests 42 'parts of a model that do not belong together' test_model_file 'what_is|a_rank|half|our_model|noise|a_model_without'
commands 43 'a model and points of another shape' '[45]' 'HDF5|2D|points' <<'EOF'
sfgp model info ear/reference.ply
sfgp register model.h5 47/two_dimensions.npy -o out.ply
sfgp apply model.h5 ear/scan.ply -o out.ply
EOF
tests 44 'HDF5 that makes libhdf5 fail: the process that reads it' test_io_hdf5_process .
tests 45 'a model that is being written' test_model_file a_file_that_is_being

# ---- shapes ----------------------------------------------------------------------------------------------------------
files 46 'one to three points' 5 'at least 4' "$fit" 46/*
files 46 'four points' '0|1' . "$fit" 46b/*
files 47 'all points in one place' 5 'zero extent|2D' "$fit" 47/*
files 48 'points that are there twice, 1e4 copies of one' 0 . "$fit" 48/*
tests 48 'equal clouds, copies' test_cli_faults 'duplicates|many_coincident'
files 49 'points on a line' '0|1' 'one line' "$fit" 49/*
files 50 'points in a plane' '0|1' 'one plane' "$fit" 50/*
files 51 'two clusters' '0|1' . "$fit" 51/*
files 52 'a stray at 1e6 times the size' '0|1' 'outlier' "$fit" 52/*
files 53 'a coordinate that is not finite' 5 'point 17|byte|row 18|18' "$fit" 53/*
files 54 'offsets of 1e6 and 1e9 of both' '0' . 'sfgp register $f $f -o out.ply --quiet' 54/*
files 55 'units from 1e-150 to 1e150' 0 . 'sfgp register 55r/${f#55/} $f -o out.ply --quiet' 55/*
files 56 'millimetres against metres' 1 'times smaller than the reference' "$fit" 56/*
files 57 'outliers alone, five points of the scan' '0|1' . "$fit" 57/*
tests 58 'points without data' test_cli_faults hidden_points
files 59 'mirrored, upside down' '0|1' . "$fit" 59/*
files 60 'very many points and very few' '0|1' . "$fit" 60/*
files 61 'odd faces' 0 . 'sfgp register $f $f -o out.ply --quiet' 61/*

# ---- parameters ------------------------------------------------------------------------------------------------------
tests 62 'parameters out of range: kernels, omega, tolerance, threads, rank' test_cli_faults bad_values
commands 63 'outlier weights' 2 omega <<'EOF'
sfgp register ear/reference.ply ear/scan.ply -o out.ply --omega -0.1
sfgp register ear/reference.ply ear/scan.ply -o out.ply --omega 0
sfgp register ear/reference.ply ear/scan.ply -o out.ply --omega 1
sfgp register ear/reference.ply ear/scan.ply -o out.ply --omega 1.5
sfgp register ear/reference.ply ear/scan.ply -o out.ply --omega nan
sfgp register ear/reference.ply ear/scan.ply -o out.ply --omega abc
sfgp register ear/reference.ply ear/scan.ply -o out.ply --omega 0,1
EOF
tests 64 'ranks' test_cli_faults ranks
tests 65 'a rank too small for the length' test_cli_faults ranks
tests 66 'no iteration, extreme tolerances' test_cli_faults 'no_iterations|extreme'
tests 67 'threads' test_cli_faults too_many_threads
tests 68 'paths of any kind' test_cli_faults '.*paths'
commands 68 'the command line' 2 . <<'EOF'
sfgp register
sfgp register ear/reference.ply ear/scan.ply -o
sfgp register ear/reference.ply ear/scan.ply -o out.ply --unknown 1
sfgp register ear/reference.ply ear/scan.ply extra -o out.ply
sfgp register "" ear/scan.ply -o ""
sfgp nonsense
EOF
tests 69 'NULL is freed; elsewhere the header forbids it (not checked)' test_solver null_is
tests 69 'callers side by side' test_host_blas .
tests 70 'sizes that no integer holds' test_base 'products'

# ---- the system ------------------------------------------------------------------------------------------------------
script 71 'every allocation of a whole run (samples; every one by hand)' inject
tests 71 'every allocation of readers, writers and fits' test_io_faults row_71
tests 71 'the same of a fit' test_solver every_allocation
commands 72 'address space from 60 to 600 MB' '0|1|6|127' . <<'EOF'
ulimit -v 60000; sfgp register ear/reference.ply ear/scan.ply -o out.ply
ulimit -v 100000; sfgp register ear/reference.ply ear/scan.ply -o out.ply
ulimit -v 140000; sfgp register ear/reference.ply ear/scan.ply -o out.ply
ulimit -v 180000; sfgp register ear/reference.ply ear/scan.ply -o out.ply
ulimit -v 220000; sfgp register ear/reference.ply ear/scan.ply -o out.ply
ulimit -v 260000; sfgp register ear/reference.ply ear/scan.ply -o out.ply
ulimit -v 300000; sfgp register ear/reference.ply ear/scan.ply -o out.ply
ulimit -v 400000; sfgp register ear/reference.ply ear/scan.ply -o out.ply
ulimit -v 500000; sfgp register ear/reference.ply ear/scan.ply -o out.ply
ulimit -v 600000; sfgp register ear/reference.ply ear/scan.ply -o out.ply
EOF
tests 73 'a full device' test_cli_faults a_full_device
tests 74 'folders without permission' test_cli_faults read_only
tests 75 'folders that are not there' test_cli_faults missing_folders
tests 76 'an output that is an input, or another output' test_cli_faults 'an_output_that_is|two_spellings'
tests 77 'a limit of the size of files at every byte' test_io_file row_77
script 78 'system functions that fail, once or for good, short or interrupted' system
tests 79 'signals in the middle of writing' test_io_file a_signal
script 80 'SIGKILL at random, two runners, a full disk' kill
tests 81 'closed streams and pipes' test_cli 'closed_streams|a_pipe'
tests 82 'two at the same files' test_cli_batch two_at
tests 82 'a file that comes and goes' test_io_file a_file_that_comes
commands 83 'no HOME, no or a wrong folder for temporary files, another year' '0' . <<'EOF'
env -u HOME sfgp register ear/reference.ply ear/scan.ply -o out.ply
TMPDIR=/none sfgp register ear/reference.ply ear/scan.ply -o out.ply
TMPDIR=/none sfgp model info model.h5
TMPDIR=/none sfgp apply fit.h5 ear/scan.ply -o out.ply
TZ=Nowhere/Nothing sfgp register ear/reference.ply ear/scan.ply -o out.ply
EOF
files 84 'a stack of 256 KiB' '0|1' . "ulimit -s 256; $fit" ear/scan.ply 48/all_twice.npy 60/many.npy
tests 85 'rounding, denormals and traps of the host' test_host_floats .
commands 86 'fits that end at their limits' 1 'iterations|max_time|time' <<'EOF'
sfgp register ear/reference.ply ear/scan.ply -o out.ply --max-iterations 1
sfgp register ear/reference.ply ear/scan.ply -o out.ply --max-time 0.001
EOF
tests 87 'threads: the same bits' test_solver runs_and_threads
commands 88 'memory of a process after 10 and after 300 cases' 0 '^0$' <<'EOF'
for n in 10 300; do { echo target; for k in $(seq $n); do echo ear/scan.ply; done; } | awk 'NR == 1 { print "id\ttarget" } NR > 1 { print NR "\t" $1 }' >cases.tsv; rm -rf soak; /usr/bin/time -f %M -o rss$n sfgp batch cases.tsv -o soak --model ear/reference.ply --method sfgp-scalar -j 1 --quiet; done; echo $(($(cat rss300) > $(cat rss10) + 2048))
EOF

# ---- what users and sweeps found since -------------------------------------------------------------------------------
files 89 'a scan far away, UTM coordinates' '0' 'lies' "$fit" 89/*
tests 90 'mirrored scans' test_mirror the_wrong_side
files 91 'a scan of half or twice the size' '0|1' 'times as large|times the area' "$fit" 91/*
files 92 'a stray vertex of the reference' '0|1' 'far from the others' 'sfgp register $f ear/scan.ply -o out.ply --quiet' 92/*
commands 93 'outputs of no format; two names of one output' 2 . <<'EOF'
sfgp register ear/reference.ply ear/scan.ply -o fit.abc
sfgp register ear/reference.ply ear/scan.ply -o fit
sfgp register ear/reference.ply ear/scan.ply -o both.csv --table ./both.csv
sfgp register ear/reference.ply ear/scan.ply -o both.csv --table $PWD/both.csv
EOF
commands 94 'a setting that the method does not read' 0 'beta' <<'EOF'
sfgp register ear/reference.ply ear/scan.ply -o out.ply --beta 0.1
EOF
commands 95 'fits that are lost say so' 1 'doubtful|no_overlap|extent' <<'EOF'
sfgp register ear/reference.ply 57/outliers.npy -o out.ply
sfgp register ear/reference.ply 56/metres.npy -o out.ply
EOF
tests 96 'every bit of a model flipped' test_model_file '.*flipped'
tests 96 'packed numbers that are too large' test_io_hdf5 'what_unpacks|texts_that_ask|sizes_beyond'
script 97 'a power cut at every moment of writing' powercut
tests 98 'copies of points' test_copies .
files 98 '1e5 copies of a point, a million points' '0|1' . "$fit" 98/copies1e5.npy
files 98 'ten points against a million' '0|1' . 'sfgp register 98/ten.npy $f -o out.ply --quiet --max-time 50' 98/million.npy
tests 98 'studies that are too large' test_study a_study_has_limits
tests 99 'runners of one folder, locks, folders without them' test_batch 'a_case_belongs|a_folder_without|an_older_plan'
tests 100 'another order, turn, unit, copies, more threads' test_metamorphic .
