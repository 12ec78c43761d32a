(** * What has been proved, and what it assumes: nothing

    The theorem is stated once more here, so that a change of its words elsewhere is an error. All
    theorems together are one term, of which [Print Assumptions] must answer "Closed under the global
    context": no axiom, nothing admitted. proofs/build.sh fails if it says anything else. *)

From Coq Require Import ZArith List.
From Magicert Require Import Words Board Cells Leaves Covers Tables Checker Soundness Lemmas Rounding Merged.
Open Scope Z_scope.

Definition the_theorem :
  forall (c : cell) (shards : list shard) (magics : list (Z * Z)),
    check c shards = Accepted magics ->
    forall m : Z,
      magic c m <->
      exists first last : Z, In (first, last) magics /\ first <= m mod 2 ^ period_of c <= last
  := accepted_certificates_are_true.

Definition all_theorems :=
  (the_theorem,
   leaf_is_true,
   complete_covers_the_root,
   roots_cover_everything,
   rows_of_a_cell,
   problem_of_is_sound,
   solving_is_being_a_magic,
   magic_in_slots,
   accepted_problems_are_settled,
   headers_are_true,
   every_word_is_settled,
   no_magic,
   only_m_modulo_the_period_counts,
   the_period_is_the_least,
   period_of_white,
   period_of_black,
   more_bits_keep_a_magic,
   fewer_bits_have_fewer_magics,
   black_is_white_with_a_constant,
   index_of_black_by_a_constant,
   black_magics_are_white_with_a_constant,
   staying,
   products_grow,
   staying_is_exact,
   slots_by_quotients, L1, L2, L3, L4, L5, L6, L9a, L9b, L10).

Print Assumptions all_theorems.
