#!/bin/sh
# Check the proof, and compile the checker extracted from it.
#
#   sh proofs/build.sh FOLDER           all: FOLDER/magicert-proved is the checker
#   sh proofs/build.sh FOLDER theorem   only the proof, and that it assumes nothing
#
# Exit status: 0 done, 1 the proof or its compilation fails, 2 something is missing.
set -eu
sources=$(cd "$(dirname "$0")" && pwd)
folder=$1
what=${2:-all}

missing=
for program in coqc ocamlfind ocamlopt xz; do
  command -v $program > /dev/null || missing="$missing $program"
done
if [ -n "$missing" ]; then
  echo "not found:$missing" >&2
  echo "The proof wants Coq 8.16 or later, OCaml and xz. On Debian or Ubuntu:" >&2
  echo "    apt-get install coq ocaml-nox ocaml-findlib xz-utils" >&2
  exit 2
fi

mkdir -p "$folder"
cp "$sources"/*.v "$sources"/driver/*.ml "$folder"
cd "$folder"
rm -f magicert-proved kernel.ml kernel.mli ./*.vo

for file in Words Board Cells Leaves Covers Tables Checker Soundness Lemmas Rounding Merged; do
  coqc -Q . Magicert $file.v || { echo "$file.v: the proof fails" >&2; exit 1; }
done
coqc -Q . Magicert Assumptions.v > assumptions.txt || exit 1
if [ "$(cat assumptions.txt)" != "Closed under the global context" ]; then
  echo "the proof assumes something:" >&2
  cat assumptions.txt >&2
  exit 1
fi
echo "the theorem holds, and assumes nothing: closed under the global context, no axioms"
[ "$what" = all ] || exit 0

coqc -Q . Magicert Extract.v || exit 1
ocamlfind ocamlopt -package unix -linkpkg kernel.mli kernel.ml numbers.ml sha256.ml json.ml \
  header.ml stream.ml rules.ml problem.ml proved.ml -o magicert-proved || exit 1
echo "compiled: $folder/magicert-proved"
