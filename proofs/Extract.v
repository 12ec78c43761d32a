(** * Extraction to OCaml

    Only Coq's own truth values, lists, options and pairs become OCaml's, which are the same. Numbers
    stay what they are in Coq, lists of bits: no arithmetic of OCaml's stands in for theirs. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Magicert Require Import Leaves Tables Checker.

Extraction "kernel.ml" check check_header make_row problem_of period.
