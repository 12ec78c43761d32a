(** * What has been proved, and what it assumes

    The theorems are stated once more here, so that a change of their words elsewhere is an error. Those
    of the checker assume that Coq's primitive integers of 63 bits and arrays do what [Uint63] and
    [PArray] say of them; those of the second list assume nothing. [Print Assumptions] says so, and
    proofs/build.sh fails if it says anything else. *)

From Coq Require Import ZArith List.
From Magicert Require Import Counting Translates Slots Overlaps Nodes Middles LineSlots SlotTables SlotLeaves CountedNodes.
From Magicert Require Import Words Board Lines Cells Leaves Covers Tables Machine Checker Soundness
  Lemmas Rounding Merged.
Open Scope Z_scope.

Definition the_theorem :
  forall (c : cell) (shards : list shard) (magics : list (Z * Z)),
    check c shards = Accepted magics ->
    forall m : Z,
      magic c m <->
      exists first last : Z, In (first, last) magics /\ first <= m mod 2 ^ period_of c <= last
  := accepted_certificates_are_true.

Definition how_many_there_are :
  forall (c : cell) (shards : list shard) (magics : list (Z * Z)),
    check c shards = Accepted magics ->
    exists all : list Z,
      NoDup all /\ (forall m, In m all <-> 0 <= m < 2 ^ period_of c /\ magic c m) /\
      Z.of_nat (length all) = how_many magics
  := number_of_magics.

Definition of_the_checker :=
  (the_theorem,
   how_many_there_are,
   joined_shards_are_true,
   shard_is_settled,
   joined_shards_are_settled,
   quick_check_is_right,
   accepted_problems_are_settled,
   headers_are_true,
   every_word_is_settled,
   no_magic).

Definition of_magics :=
  (attack_sets_are_what_is_attacked,
   leaf_is_true,
   complete_covers_the_root,
   roots_cover_everything,
   roots_cover_everything_once,
   rows_of_a_cell,
   problem_of_is_sound,
   solving_is_being_a_magic,
   magic_in_slots,
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
   slots_by_quotients, L1, L2, L3, L4, L5, L6, L9a, L9b, L10,
   L14a, L14b, L14c, whole_slots_are_no_magics, L15, L15_both_ways,
   L16, L16_of_a_node, L17, L17_of_a_cell, L17_from_the_middle, L18, L18_of_a_cell, L18_from_the_middle,
   L19, L19a, L19_firsts, L19b, L19c,
   L20, L20_by_differences, L20_by_cells, opposite_overlap, overlap_of_each, tables_are_symmetric, join_adds_codes,
   codes_join, numbers_join, largest_entry_covers, one_of_three, anchors_reach,
   L21_by_k, L21_by_squares, by_squares_is_taken, L21, classes_have_room, nodes_have_room, L22,
   slot_leaf_is_true, counted_nodes_have_room, counted_node_is_dead).

Print Assumptions of_magics.
Print Assumptions of_the_checker.
