# Replays a record (record.c) and looks, after every line, at what a power cut could leave. Data that were not synced may be
# lost; a name may be there as soon as it is given, and surely is when its folder was synced since. So
#   - a file that has a name is complete: all that is ever written to it is synced (files that grow line by line: at the end);
#   - where case.json has a name, that of fit.ply is safe;
#   - in the end all names are safe, and so are those of the folders that were made.
# A temporary file (.tmp) and .lock may be anything.

function complain(words) { print "power cut after line " line ": " words; wrong++ }
function is_free(name) { return name ~ /\.tmp$/ || name == ".lock" }
function grows(name) { return name == "journal.tsv" || name ~ /\.jsonl$/ }

# A number is used again when a file has gone: its life tells them apart.
function id(number) { return number "." life[number] }

# The first reading: what is written in all.
FNR == NR {
    if ($1 == "create") born[$2]++
    if ($1 == "write") total[$2 "." born[$2] + 0] += $3
    if ($1 == "cut") total[$2 "." born[$2] + 0] = $3
    next
}

{ line = FNR }
$1 == "create" { life[$2]++ }
{ for (n in life) life[n] += 0; life[$2] += 0 }
$1 == "write" { written[id($2)] += $3 }
$1 == "cut" { written[id($2)] = $3 }
$1 == "name" { name[$3 "/" $4] = id($2); part[$3 "/" $4] = $4; folder[$3 "/" $4] = $3 }
$1 == "remove" { delete name[$2 "/" $3] }
$1 == "rename" {
    key = $4 "/" $5
    name[key] = name[$2 "/" $3]; part[key] = $5; folder[key] = $4
    delete name[$2 "/" $3]
}
$1 == "sync" {
    synced[id($2)] = written[id($2)]
    for (key in part) if (folder[key] == $2) { if (key in name) safe[key] = name[key]; else delete safe[key] }
}

# A folder has no bytes, and all of them are synced.
function check_file(key, i) {
    i = name[key]
    if (is_free(part[key]) || grows(part[key])) return
    if (synced[i] + 0 != total[i] + 0) complain(part[key] " has " synced[i] + 0 " of " total[i] + 0 " bytes")
    if (part[key] == "case.json" && !((folder[key] "/fit.ply") in safe)) complain("case.json without fit.ply")
}
{ for (key in name) check_file(key) }

END {
    for (key in name) {
        if (is_free(part[key])) continue
        files++
        if (safe[key] != name[key]) complain("the name of " part[key] " was not synced")
        if (synced[name[key]] + 0 != written[name[key]] + 0) complain(part[key] " was not synced")
    }
    print line " lines, " files + 0 " names"
    exit (wrong > 0 || files == 0)
}
