(** * What has been proved, and what it assumes: nothing

    The theorem is stated once more here, so that a change of its words elsewhere is an error. For
    each name [Print Assumptions] must answer "Closed under the global context": no axiom, nothing
    admitted. proofs/build.sh fails if it says anything else. *)

From Coq Require Import ZArith List.
From Magicert Require Import Words Board Cells Leaves Covers Tables Checker Lemmas.
Open Scope Z_scope.

Definition the_theorem :
  forall (c : cell) (shards : list shard) (magics : list (Z * Z)),
    check c shards = Accepted magics ->
    forall m : Z,
      magic c m <->
      exists first last : Z, In (first, last) magics /\ first <= m mod 2 ^ period_of c <= last
  := accepted_certificates_are_true.

Print Assumptions the_theorem.
Print Assumptions every_word_is_settled.
Print Assumptions no_magic.
Print Assumptions leaf_is_true.
Print Assumptions roots_cover_everything.
Print Assumptions complete_covers_the_root.
Print Assumptions magic_in_slots.
Print Assumptions only_m_modulo_the_period_counts.
Print Assumptions the_period_is_the_least.
Print Assumptions period_of_white.
Print Assumptions period_of_black.
Print Assumptions more_bits_keep_a_magic.
Print Assumptions black_is_white_with_a_constant.
Print Assumptions black_magics_are_white_with_a_constant.
Print Assumptions staying.
Print Assumptions staying_is_exact.
