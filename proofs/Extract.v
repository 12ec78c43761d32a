(** * Extraction to OCaml

    Coq's own truth values, lists, options and pairs become OCaml's, which are the same. Integers of 63
    bits become those of driver/uint63.ml, arrays those of driver/parray.ml: some fifteen functions
    that have to be believed. All other numbers stay what they are in Coq, lists of bits. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOCamlInt63.
From Coq Require PArray.
From Magicert Require Import Leaves Cells Tables Machine Checker.

Extract Inlined Constant PrimInt63.add => "Uint63.add".
Extract Inlined Constant PrimInt63.sub => "Uint63.sub".
Extract Inlined Constant PrimInt63.mul => "Uint63.mul".
Extract Inlined Constant PrimInt63.land => "Uint63.l_and".
Extract Inlined Constant PrimInt63.lor => "Uint63.l_or".
Extract Inlined Constant PrimInt63.lsl => "Uint63.l_sl".
Extract Inlined Constant PrimInt63.lsr => "Uint63.l_sr".
Extract Inlined Constant PrimInt63.eqb => "Uint63.equal".
Extract Inlined Constant PrimInt63.ltb => "Uint63.lt".
Extract Inlined Constant PrimInt63.leb => "Uint63.le".

Extract Constant PArray.array "'a" => "'a Parray.t".
Extract Inlined Constant PArray.make => "Parray.make".
Extract Inlined Constant PArray.get => "Parray.get".
Extract Inlined Constant PArray.set => "Parray.set".
Extract Inlined Constant PArray.length => "Parray.length".

Extraction "kernel.ml" check check_header check_shard settle as_listed join how_many is_a_question
  make_row problem_of period quick_of depth_of word_ones.
