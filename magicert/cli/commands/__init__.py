"""One module a command: it parses, calls one job, and shows what came of it.

sources         magicert import, magicert fix
verify          magicert verify
show            magicert show
tables          magicert tables
report          magicert report
find            magicert find, magicert disprove
finding         what these two do
check           magicert check
atlas           magicert atlas
lemma           magicert lemma
gather          magicert gather
pack            magicert pack
emit            magicert emit
writing         magicert export; what emit writes besides sources
bench           magicert bench
completion      magicert completion
help            magicert help
"""
