import runpy
import sys

find = runpy.run_path(sys.argv[1])["find"]
for line in sys.stdin:
    value = find(int(line))
    print("none" if value is None else value)
