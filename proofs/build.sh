#!/bin/sh
# Check the proof, and compile the checker extracted from it.
#
#   sh proofs/build.sh FOLDER           all: FOLDER/magicert-proved is the checker
#   sh proofs/build.sh FOLDER theorem   only the proof, and what it assumes
#
# Exit status: 0 done, 1 the proof or its compilation fails, 2 something is missing.
set -eu
sources=$(cd "$(dirname "$0")" && pwd)
folder=$1
what=${2:-all}

missing=
for program in coqc coqchk ocamlfind ocamlopt xz; do
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

for file in Words Board Lines Cells Leaves Covers Tables Machine Checker Soundness Lemmas Rounding Merged Counting Translates Slots Overlaps Nodes Middles LineSlots SlotTables SlotLeaves CountedNodes; do
  coqc -Q . Magicert $file.v || { echo "$file.v: the proof fails" >&2; exit 1; }
done
coqc -Q . Magicert Assumptions.v > assumptions.txt || exit 1

# The first list assumes nothing, the checker's only what Coq says of its integers and arrays.
known='^(PrimInt63\.(int|add|sub|mul|land|lor|lsl|lsr|eqb|ltb|leb)|Uint63[A-Za-z]*\.((add|sub|mul|land|lor|lsl|lsr|ltb|leb)_spec|eqb_correct|eqb_refl|of_to_Z)|PArray\.(array|make|get|set|length|get_make|get_set_same|get_set_other))$'
assumed=$(sed -n '2,$p' assumptions.txt | grep -v '^Axioms:$' | grep -o '^[^ :]\+' || true)
if [ "$(head -n 1 assumptions.txt)" != "Closed under the global context" ] \
   || [ "$(sed -n 2p assumptions.txt)" != "Axioms:" ] \
   || echo "$assumed" | grep -Evq "$known"; then
  echo "the proof assumes something:" >&2
  cat assumptions.txt >&2
  exit 1
fi
echo "the theorems hold: no axioms, but for Coq's integers of 63 bits and arrays in the checker's"

# A second program of Coq's reads all that was compiled, and checks it from the beginning.
coqchk -silent -o -Q . Magicert Magicert.Assumptions > coqchk.txt 2>&1 || { cat coqchk.txt >&2; exit 1; }
echo "coqchk finds no fault in it"
[ "$what" = all ] || exit 0

coqc -Q . Magicert Extract.v || exit 1
ocamlfind ocamlopt -inline 200 -package unix -linkpkg uint63.ml parray.ml kernel.mli kernel.ml numbers.ml \
  sha256.ml json.ml header.ml stream.ml rules.ml problem.ml proved.ml -o magicert-proved || exit 1
echo "compiled: $folder/magicert-proved"
