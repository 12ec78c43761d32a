(** * Lemmas that the rest of the project leans on *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Words Board Cells Leaves Tables.
Import ListNotations.
Open Scope Z_scope.

(** ** The period: m counts modulo 2^period, and modulo nothing less *)

Theorem only_m_modulo_the_period_counts c m :
  0 <= its_bits c <= 64 -> magic c (m mod 2 ^ period_of c) <-> magic c m.
Proof.
  intros Hb. rewrite !magic_in_slots by assumption.
  assert (H : forall o, occupancy c o -> slot_of c (m mod 2 ^ period_of c) o = slot_of c m o).
  { intros o Ho. unfold slot_of. apply only_the_low_bits_count.
    - unfold period_of, period. generalize (rows (problem_of c)).
      intros l. induction l; cbn [fold_right]; lia.
    - assert (Hr : In (row_of c o) (rows (problem_of c))) by (apply rows_of_a_cell; eauto).
      apply blind_above_more with (w := width (row_of c o)).
      + split; [apply width_of_nonnegative|]. now apply within_the_period.
      + apply blind_above_its_width. now apply multiplicand_nonnegative. }
  split; intros [H1 H2]; split.
  - intros o Ho. rewrite <- H by assumption. auto.
  - intros o o' Ho Ho'. rewrite <- !H by assumption. auto.
  - intros o Ho. rewrite H by assumption. auto.
  - intros o o' Ho Ho'. rewrite !H by assumption. auto.
Qed.

Lemma period_at_most c n :
  0 <= n -> (forall o, occupancy c o -> width_of (multiplicand c o) <= n) -> period_of c <= n.
Proof.
  intros Hn H. unfold period_of, period.
  assert (Hr : forall r, In r (rows (problem_of c)) -> width r <= n).
  { intros r Hr. apply rows_of_a_cell in Hr as (o & Ho & ->). now apply H. }
  revert Hr. generalize (rows (problem_of c)).
  intros l. induction l as [|r l IH]; cbn [fold_right]; intros Hr; [lia|].
  pose proof (Hr r ltac:(now left)). assert (Hl : forall r, In r l -> width r <= n) by auto with datatypes.
  specialize (IH Hl). lia.
Qed.

Lemma period_at_least c o : occupancy c o -> width_of (multiplicand c o) <= period_of c.
Proof.
  intros Ho. apply (within_the_period (problem_of c) (row_of c o)). apply rows_of_a_cell. eauto.
Qed.

(** No smaller power of two will do for all products. *)
Theorem the_period_is_the_least c w :
  0 <= w -> (forall o, occupancy c o -> blind_above (multiplicand c o) w) -> period_of c <= w.
Proof.
  intros Hw H. apply period_at_most; [assumption|]. intros o Ho.
  apply no_smaller_width; auto. now apply multiplicand_nonnegative.
Qed.

Lemma blind_above_in_bits x w i :
  0 <= w -> blind_above x w -> 0 <= i -> i + w < 64 -> Z.testbit x i = false.
Proof.
  unfold blind_above. intros Hw Hx Hi Hlow.
  assert (H : Z.testbit ((x * 2 ^ w) mod 2 ^ 64) (w + i) = false) by now rewrite Hx, Z.bits_0.
  now rewrite Z.mod_pow2_bits_low, Z.mul_pow2_bits_add in H by lia.
Qed.

Lemma blind_above_by_bits x w :
  0 <= w -> (forall i, 0 <= i -> i + w < 64 -> Z.testbit x i = false) -> blind_above x w.
Proof.
  unfold blind_above. intros Hw H. apply Z.bits_inj'; intros i Hi. rewrite Z.bits_0.
  destruct (Z.le_gt_cases 64 i); [now rewrite Z.mod_pow2_bits_high by lia|].
  rewrite Z.mod_pow2_bits_low by lia.
  destruct (Z.le_gt_cases w i).
  - replace i with (w + (i - w)) by lia. rewrite Z.mul_pow2_bits_add by lia. apply H; lia.
  - apply Z.mul_pow2_bits_low. lia.
Qed.

Lemma whole_mask_is_an_occupancy c : occupancy c (mask_of c).
Proof. split; [apply mask_is_a_word|apply Z.land_diag]. Qed.

(** Where the subset of the mask is multiplied, the period is 2^64 / (the lowest bit of the mask). *)
Theorem period_of_white c :
  its_scheme c <> Black -> period_of c = width_of (mask_of c).
Proof.
  intros E. assert (Hx : forall o, multiplicand c o = o).
  { intros o. unfold multiplicand. now destruct (its_scheme c). }
  assert (H0 : 0 <= mask_of c) by apply mask_is_a_word.
  apply Z.le_antisymm.
  - apply the_period_is_the_least; [apply width_of_nonnegative|]. intros o Ho. rewrite Hx.
    apply blind_above_by_bits; [apply width_of_nonnegative|]. intros i Hi Hlow.
    destruct (Z.testbit o i) eqn:Eo; [|easy].
    apply (occupancy_is_subset c o Ho) in Eo.
    rewrite (blind_above_in_bits (mask_of c) (width_of (mask_of c)) i) in Eo; auto.
    + apply width_of_nonnegative.
    + now apply blind_above_its_width.
  - rewrite <- (Hx (mask_of c)) at 1. apply period_at_least, whole_mask_is_an_occupancy.
Qed.

(** Black's multiplicands are odd for the full mask: all 64 bits count. *)
Theorem period_of_black c : its_scheme c = Black -> period_of c = 64.
Proof.
  intros E. apply Z.le_antisymm.
  - apply period_at_most; [lia|]. intros o _. unfold width_of.
    destruct (multiplicand c o) as [|n|n]; [lia| |lia]. pose proof (halvings_nonnegative n). lia.
  - pose proof (period_at_least c _ (whole_mask_is_an_occupancy c)) as H.
    unfold multiplicand in H. rewrite E, Z.ldiff_diag in H. exact H.
Qed.

(** ** Fewer bits follow from fewer: a magic of k bits is one of k + 1 *)

Definition with_bits (c : cell) (k : Z) : cell :=
  {| its_scheme := its_scheme c; its_piece := its_piece c; its_square := its_square c;
     its_bits := k; largest_index := 2 ^ k - 1 |}.

Lemma index_with_a_bit_less c k m o :
  0 <= k < 64 -> index (with_bits c k) m o = index (with_bits c (k + 1)) m o / 2.
Proof.
  intros Hk. unfold index. cbn [its_scheme its_bits with_bits mask_of its_piece its_square].
  change (mask_of (with_bits c k)) with (mask_of c).
  change (mask_of (with_bits c (k + 1))) with (mask_of c).
  rewrite Z.div_div by (try apply Z.pow_nonzero; lia).
  replace (64 - k) with (64 - (k + 1) + 1) by lia.
  rewrite Z.pow_add_r by lia. reflexivity.
Qed.

Lemma index_in_range c m o : 0 <= its_bits c <= 64 -> 0 <= index c m o < 2 ^ its_bits c.
Proof.
  intros Hb. pose proof (bucket_positive (its_bits c) Hb) as HB. unfold index.
  match goal with |- context [ ?h mod 2 ^ 64 ] => set (a := h) end.
  pose proof (Z.mod_pos_bound a (2 ^ 64) ltac:(lia)).
  fold (bucket (its_bits c)). rewrite (buckets_fill_the_words _ Hb) in *.
  split; [apply Z.div_pos; lia|apply Z.div_lt_upper_bound; lia].
Qed.

Theorem more_bits_keep_a_magic c k m :
  0 <= k < 64 -> magic (with_bits c k) m -> magic (with_bits c (k + 1)) m.
Proof.
  intros Hk [_ H]. split.
  - intros o _. pose proof (index_in_range (with_bits c (k + 1)) m o ltac:(cbn; lia)).
    cbn [its_bits largest_index with_bits] in *. lia.
  - intros o o' Ho Ho' E.
    change (attacks (with_bits c k) o = attacks (with_bits c k) o').
    apply H; auto.
    rewrite (index_with_a_bit_less c k m o), (index_with_a_bit_less c k m o') by assumption.
    now rewrite E.
Qed.

(** So a disproof for k bits is one for every smaller number. *)
Corollary fewer_bits_have_fewer_magics c k m :
  0 <= k < 64 -> ~ magic (with_bits c (k + 1)) m -> ~ magic (with_bits c k) m.
Proof. intros Hk H Hm. now apply H, more_bits_keep_a_magic. Qed.

(** ** Black is white with a constant

    [Cells.black_is_white_with_a_constant] is what certificates use. This is how an engine sees it:
    for one m, black is white with the constant ~mask * m added. *)

Definition as_constant (c : cell) (added : Z) : cell :=
  {| its_scheme := Constant added; its_piece := its_piece c; its_square := its_square c;
     its_bits := its_bits c; largest_index := largest_index c |}.

Lemma or_is_plus o mk : word o -> word mk ->
  Z.lor o (complement mk) = Z.land o mk + complement mk.
Proof.
  intros Ho Hm. rewrite black_word by assumption. unfold complement.
  assert (H : mk - Z.land o mk = Z.ldiff mk o); [|lia].
  rewrite Z.sub_nocarry_ldiff.
  - apply Z.bits_inj'; intros i Hi. rewrite !Z.ldiff_spec, Z.land_spec.
    now destruct (Z.testbit o i), (Z.testbit mk i).
  - apply Z.bits_inj'; intros i Hi. rewrite Z.ldiff_spec, Z.land_spec, Z.bits_0.
    now destruct (Z.testbit o i), (Z.testbit mk i).
Qed.

Theorem index_of_black_by_a_constant c m o :
  its_scheme c = Black -> word o ->
  index c m o = index (as_constant c (complement (mask_of c) * m)) m o.
Proof.
  intros E Ho. unfold index. rewrite E. cbn [its_scheme its_bits as_constant].
  change (mask_of (as_constant c (complement (mask_of c) * m))) with (mask_of c).
  rewrite or_is_plus by (auto; apply mask_is_a_word). do 2 f_equal. ring.
Qed.

Theorem black_magics_are_white_with_a_constant c m :
  its_scheme c = Black ->
  magic c m <-> magic (as_constant c (complement (mask_of c) * m)) m.
Proof.
  intros E. unfold magic. cbn [largest_index as_constant].
  change (attacks (as_constant c (complement (mask_of c) * m))) with (attacks c).
  split; intros [H1 H2]; split.
  - intros o Ho. rewrite <- index_of_black_by_a_constant by assumption. auto.
  - intros o o' Ho Ho'. rewrite <- (index_of_black_by_a_constant c m o E Ho),
      <- (index_of_black_by_a_constant c m o' E Ho'). auto.
  - intros o Ho. rewrite index_of_black_by_a_constant by assumption. auto.
  - intros o o' Ho Ho'. rewrite (index_of_black_by_a_constant c m o E Ho),
      (index_of_black_by_a_constant c m o' E Ho'). auto.
Qed.

(** ** Monotony: [Words.staying] is L1 of proofs/rounding-lemma.md. What it needs: *)

(** Without wrapping, a larger m has a product that is not smaller, and so a slot that is not. *)
Theorem products_grow x m m' : 0 <= x -> m <= m' -> x * m <= x * m'.
Proof. intros. nia. Qed.

(** The place in the bucket plus the way is short of the end exactly if nothing in between is in
    another bucket: the test of a leaf loses nothing. *)
Theorem staying_is_exact bits x added low high :
  0 <= bits <= 64 -> 0 <= x -> low <= high ->
  stays bits x added low high <->
  (x * low + added) / bucket bits = (x * high + added) / bucket bits.
Proof.
  intros Hb Hx Hm. pose proof (bucket_positive bits Hb) as HB. unfold stays.
  replace (x * high + added) with (x * low + added + x * (high - low)) by ring.
  assert (0 <= x * (high - low)) by nia.
  set (a := x * low + added) in *. set (d := x * (high - low)) in *.
  pose proof (Z.div_mod a (bucket bits) ltac:(lia)).
  pose proof (Z.mod_pos_bound a (bucket bits) HB). split.
  - intros Hs. apply Z.div_unique with (r := a mod bucket bits + d); lia.
  - intros E. pose proof (Z.div_mod (a + d) (bucket bits) ltac:(lia)).
    pose proof (Z.mod_pos_bound (a + d) (bucket bits) HB). nia.
Qed.
