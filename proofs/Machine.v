(** * The machine: the check of a leaf with machine words

    What [Leaves] says with integers is computed here with Coq's primitive integers of 63 bits
    ([Uint63]), which are an OCaml machine's own. A word of 64 bits is two of them: all its bits but
    the lowest, and the lowest. So a product modulo 2^64 is a product modulo 2^63 and a little more:
    (2 a + b) m = 2 (a m) + b m.

    The quick check says yes, or nothing. Where it says nothing, [Leaves.leaf_fault] decides. *)

From Coq Require Import ZArith Lia Bool List Uint63.
From Coq Require PArray.
From Magicert Require Import Words Leaves Covers.
Import ListNotations.
Open Scope Z_scope.

Definition word_of (upper lowest : int) : Z := 2 * to_Z upper + to_Z lowest.
Definition is_bit (i : int) : Prop := 0 <= to_Z i <= 1.

Definition upper_of (z : Z) : int := of_Z (z / 2).
Definition lowest_of (z : Z) : int := of_Z (z mod 2).

(** ** A problem, made ready *)

(** A row: x and its attack set as words, x modulo 2^63 once more, and the longest span for which x
    times it is less than a bucket. *)
Record quick_row := {
  x_upper : int;
  x_lowest : int;
  x_modulo : int;
  quick_width : int;
  longest : int;
  attack_upper : int;
  attack_lowest : int;
}.

Definition quick_rows := PArray.array (option quick_row).

Record quick := {
  rows_at : quick_rows;  (* each at its number *)
  shift : int;         (* 63 - bits *)
  within : int;        (* 2^(63 - bits) - 1 *)
  last_place : int;    (* 2^(64 - bits) - 1, a bucket's last place *)
  added_upper : int;
  added_lowest : int;
  quick_least : int;
  quick_most : int;
}.

Definition is (i : int) (z : Z) : bool := to_Z i =? z.

(** A row, if it fits. *)
Definition quick_row_of (p : problem) (r : row) : option quick_row :=
  let last := 2 ^ (64 - bits p) - 1 in
  let q := {| x_upper := upper_of (x r);
              x_lowest := lowest_of (x r);
              x_modulo := of_Z (x r);
              quick_width := of_Z (width r);
              longest := of_Z (if x r =? 0 then 2 ^ 62 else last / x r);
              attack_upper := upper_of (attack r);
              attack_lowest := lowest_of (attack r) |} in
  if (0 <=? x r) && (x r <? 2 ^ 64) && is (quick_width q) (width r)
     && (x r * to_Z (longest q) <=? last)
  then Some q else None.

Definition no_rows (n : int) : quick_rows := PArray.make n None.

(** The rows n, n + 1, ..., 2^depth of them. *)
Fixpoint filled (depth : nat) (p : problem) (n : Z) (rows : quick_rows) : quick_rows :=
  match depth with
  | O =>
      match row_number p n with
      | Some r =>
          if is (of_Z n) n && (of_Z n <? PArray.length rows)%uint63
          then PArray.set rows (of_Z n) (quick_row_of p r) else rows
      | None => rows
      end
  | S less => filled less p (n + 2 ^ Z.of_nat less) (filled less p n rows)
  end.

(** The problem, whose rows have numbers of so many bits. If it does not fit, no row is there. *)
Definition quick_of (depth : nat) (p : problem) : quick :=
  let q rows := {| rows_at := rows;
                   shift := of_Z (63 - bits p);
                   within := of_Z (Z.ones (63 - bits p));
                   last_place := of_Z (Z.ones (64 - bits p));
                   added_upper := upper_of (added p);
                   added_lowest := lowest_of (added p);
                   quick_least := of_Z (least p);
                   quick_most := of_Z (most p) |} in
  if (1 <=? bits p) && (bits p <=? 63) && (0 <=? added p) && (added p <? 2 ^ 64)
     && is (quick_least (q (no_rows 0))) (least p) && is (quick_most (q (no_rows 0))) (most p)
  then q (filled depth p 0 (no_rows (of_Z (2 ^ Z.of_nat depth)))) else q (no_rows 0).

(** ** The check *)

Local Open Scope uint63_scope.

(** A leaf as the machine has it: an interval of words, and its span once more. *)
Record machine_interval := {
  its_w : int;
  low_upper : int;
  low_lowest : int;
  high_upper : int;
  high_lowest : int;
}.

(** Of the product at low: its lowest bit and what carries from it, its other bits; its slot, and
    whether the row stays for [span] more. *)
Definition carried (q : quick) (i : machine_interval) (r : quick_row) : int :=
  x_lowest r * low_lowest i + added_lowest q.

Definition product (q : quick) (i : machine_interval) (r : quick_row) : int :=
  x_upper r * ((low_upper i << 1) + low_lowest i) + x_lowest r * low_upper i + added_upper q
  + (carried q i r >> 1).

Definition quick_slot (q : quick) (product : int) : int := product >> shift q.

Definition quick_stays (q : quick) (i : machine_interval) (r : quick_row) (product span : int) : bool :=
  (span <=? longest r)
  && (x_modulo r * span <=? last_place q - (((product land within q) << 1) + (carried q i r land 1))).

Definition is_true (q : quick) (i : machine_interval) (span : int) (r r' : quick_row) (same : bool)
  : bool :=
  let a := product q i r in
  let b := product q i r' in
  (quick_width r <=? its_w i) && (quick_width r' <=? its_w i)
  && quick_stays q i r a span && quick_stays q i r' b span
  && (if same
      then negb ((quick_least q <=? quick_slot q a) && (quick_slot q a <=? quick_most q))
      else (quick_slot q a =? quick_slot q b)
           && negb ((attack_upper r =? attack_upper r') && (attack_lowest r =? attack_lowest r'))).

Definition is_interval (i : machine_interval) : bool :=
  (1 <=? its_w i) && (its_w i <=? 64) && ((high_upper i >> (its_w i - 1)) =? 0)
  && ((low_upper i <? high_upper i)
      || ((low_upper i =? high_upper i) && (low_lowest i <=? high_lowest i))).

(** A conflict or a slot not allowed, that breaks no rule. *)
Definition quick_check (q : quick) (i : machine_interval) (span_upper span_lowest : int)
  (first second : int) : bool :=
  if is_interval i && (first <=? second) && ((span_upper >> 62) =? 0) then
    match PArray.get (rows_at q) first, PArray.get (rows_at q) second with
    | Some r, Some r' => is_true q i ((span_upper << 1) + span_lowest) r r' (first =? second)
    | _, _ => false
    end
  else false.

(** Both rules of reduction, and [Covers.push], on the machine. *)
Definition machine_joined (i j : machine_interval) : option machine_interval :=
  if negb (its_w i =? its_w j) then None
  else if (if low_lowest j =? 0
           then negb (low_upper j =? 0) && (high_upper i =? low_upper j - 1) && (high_lowest i =? 1)
           else (high_upper i =? low_upper j) && (high_lowest i =? 0))
  then Some {| its_w := its_w i; low_upper := low_upper i; low_lowest := low_lowest i;
               high_upper := high_upper j; high_lowest := high_lowest j |}
  else if its_w i <=? 1 then None
  else
    let half := 1 << (its_w i - 2) in
    if (high_upper i <? half)
       && (low_upper j =? low_upper i + half) && (low_lowest j =? low_lowest i)
       && (high_upper j =? high_upper i + half) && (high_lowest j =? high_lowest i)
    then Some {| its_w := its_w i - 1; low_upper := low_upper i; low_lowest := low_lowest i;
                 high_upper := high_upper i; high_lowest := high_lowest i |}
    else None.

Fixpoint machine_push (before : list machine_interval) (i : machine_interval)
  : list machine_interval :=
  match before with
  | [] => [i]
  | last :: others =>
      match machine_joined last i with
      | Some j => machine_push others j
      | None => i :: before
      end
  end.

Local Close Scope uint63_scope.

Definition interval_of (i : machine_interval) : interval :=
  {| w := to_Z (its_w i);
     low := word_of (low_upper i) (low_lowest i);
     high := word_of (high_upper i) (high_lowest i) |}.

(** ** What follows *)

Definition wB63 : wB = 2 ^ 63 := eq_refl.

(** Take the integers of all ints in sight, with their bounds. *)
Ltac bounds :=
  repeat match goal with
  | |- context [to_Z ?a] =>
      lazymatch goal with H : 0 <= to_Z a < 2 ^ 63 |- _ => fail | _ => pose proof (to_Z_bounded a : 0 <= to_Z a < 2 ^ 63) end
  | _ : context [to_Z ?a] |- _ =>
      lazymatch goal with H : 0 <= to_Z a < 2 ^ 63 |- _ => fail | _ => pose proof (to_Z_bounded a : 0 <= to_Z a < 2 ^ 63) end
  end.

Lemma halved_word z : 0 <= z < 2 ^ 64 -> word_of (upper_of z) (lowest_of z) = z.
Proof.
  intros H. unfold word_of, upper_of, lowest_of. rewrite !of_Z_spec, wB63.
  pose proof (Z.div_mod z 2 ltac:(lia)). pose proof (Z.mod_pos_bound z 2 ltac:(lia)).
  assert (0 <= z / 2 < 2 ^ 63) by (split; [apply Z.div_pos|apply Z.div_lt_upper_bound]; lia).
  rewrite !Z.mod_small by lia. lia.
Qed.

Lemma lowest_is_a_bit z : is_bit (lowest_of z).
Proof.
  unfold is_bit, lowest_of. rewrite of_Z_spec, wB63.
  pose proof (Z.mod_pos_bound z 2 ltac:(lia)). rewrite Z.mod_small by lia. lia.
Qed.

Lemma to_Z_1 : to_Z 1 = 1. Proof. reflexivity. Qed.

Lemma land_1 i : to_Z (i land 1)%uint63 = to_Z i mod 2.
Proof. rewrite land_spec', to_Z_1. change 1 with (Z.ones 1). now rewrite Z.land_ones by lia. Qed.

Lemma shifted_1 i : to_Z (i >> 1)%uint63 = to_Z i / 2.
Proof. rewrite lsr_spec, to_Z_1. reflexivity. Qed.

Lemma doubled i : to_Z (i << 1)%uint63 = (2 * to_Z i) mod 2 ^ 63.
Proof. rewrite lsl_spec, to_Z_1, wB63. f_equal. lia. Qed.

(** Half of a number modulo 2^64 is its half modulo 2^63. *)
Lemma half_modulo a b :
  0 <= b <= 1 -> (2 * a + b) mod 2 ^ 64 = 2 * (a mod 2 ^ 63) + b.
Proof.
  intros Hb. pose proof (Z.div_mod a (2 ^ 63) ltac:(lia)).
  pose proof (Z.mod_pos_bound a (2 ^ 63) ltac:(lia)).
  symmetry. apply Z.mod_unique with (q := a / 2 ^ 63); lia.
Qed.

Section Row.

Variable p : problem.
Hypothesis few : 1 <= bits p <= 63.

Definition row_is (r : row) (q : quick_row) : Prop :=
  word_of (x_upper q) (x_lowest q) = x r /\ is_bit (x_lowest q) /\
  to_Z (x_modulo q) = x r mod 2 ^ 63 /\ to_Z (quick_width q) = width r /\
  0 <= x r /\ x r * to_Z (longest q) < 2 ^ (64 - bits p) /\
  attack_upper q = upper_of (attack r) /\ attack_lowest q = lowest_of (attack r).

Lemma quick_row_is r q : quick_row_of p r = Some q -> row_is r q.
Proof.
  unfold quick_row_of. set (l := of_Z (if x r =? 0 then _ else _)).
  cbv zeta; cbn [quick_width longest].
  destruct (_ && _) eqn:E; [|easy]. intros [= <-].
  rewrite !andb_true_iff in E. destruct E as [[[E1 E2] E3] E4]. unfold is in E3.
  unfold row_is; cbn [x_upper x_lowest x_modulo quick_width longest attack_upper attack_lowest].
  split; [apply halved_word; lia|]. split; [apply lowest_is_a_bit|].
  split; [now rewrite of_Z_spec|]. split; [lia|]. split; [lia|]. split; [lia|]. easy.
Qed.

Definition is_known (i : int) (q : quick_row) : Prop :=
  exists r, row_number p (to_Z i) = Some r /\ row_is r q.

Lemma all_are_known depth : forall n rows,
  (forall i q, PArray.get rows i = Some q -> is_known i q) ->
  forall i q, PArray.get (filled depth p n rows) i = Some q -> is_known i q.
Proof.
  induction depth as [|depth IH]; cbn [filled]; intros n rows Hrows.
  - destruct (row_number p n) as [r|] eqn:Er; [|assumption].
    destruct (is _ _ && _) eqn:E; [|assumption].
    apply andb_true_iff in E as [En Elong]. unfold is in En. apply Z.eqb_eq in En.
    intros i q. destruct (eqbP (of_Z n) i) as [Ei|Ei].
    + apply to_Z_inj in Ei. subst i. rewrite PArray.get_set_same by assumption. intros H.
      exists r. rewrite En. split; [assumption|]. now apply quick_row_is.
    + rewrite PArray.get_set_other by congruence. apply Hrows.
  - apply IH, IH, Hrows.
Qed.

(** What is said of the problem's other numbers. *)
Definition fits (q : quick) : Prop :=
  to_Z (shift q) = 63 - bits p /\ to_Z (within q) = Z.ones (63 - bits p) /\
  to_Z (last_place q) = 2 ^ (64 - bits p) - 1 /\
  word_of (added_upper q) (added_lowest q) = added p /\ is_bit (added_lowest q) /\
  to_Z (quick_least q) = least p /\ to_Z (quick_most q) = most p.

Variable q : quick.
Hypothesis fit : fits q.

Variable i : machine_interval.
Hypothesis low_bit : is_bit (low_lowest i).

Lemma product_is r qr : row_is r qr ->
  value (x r) (added p) (low (interval_of i)) =
  2 * to_Z (product q i qr) + to_Z (carried q i qr) mod 2 /\ 0 <= to_Z (carried q i qr) <= 2.
Proof.
  intros (Hx & Hb & _). destruct fit as (_ & _ & _ & Ha & Hc & _).
  unfold is_bit in *. cbn [interval_of low].
  set (m := word_of (low_upper i) (low_lowest i)).
  assert (Hcar : to_Z (carried q i qr) =
    to_Z (x_lowest qr) * to_Z (low_lowest i) + to_Z (added_lowest q)).
  { unfold carried. rewrite add_spec, mul_spec, wB63.
    assert (0 <= to_Z (x_lowest qr) * to_Z (low_lowest i) <= 1) by nia.
    rewrite (Z.mod_small (_ * _)) by lia. apply Z.mod_small. lia. }
  assert (0 <= to_Z (x_lowest qr) * to_Z (low_lowest i) <= 1) by nia.
  split; [|lia].
  assert (Hp : to_Z (product q i qr) =
    (to_Z (x_upper qr) * m + to_Z (x_lowest qr) * to_Z (low_upper i) + to_Z (added_upper q)
     + to_Z (carried q i qr) / 2) mod 2 ^ 63).
  { unfold product. rewrite !add_spec, !mul_spec, !add_spec, doubled, shifted_1, wB63.
    unfold m, word_of.
    rewrite (Z.add_mod_idemp_l (2 * _)) by lia.
    rewrite Z.mul_mod_idemp_r by lia.
    rewrite <- (Z.add_mod (_ * _) (_ * _)) by lia.
    rewrite Z.add_mod_idemp_l, <- Z.add_assoc, Z.add_mod_idemp_l by lia. f_equal. ring. }
  rewrite Hp. unfold value.
  pose proof (Z.div_mod (to_Z (carried q i qr)) 2 ltac:(lia)) as Ed.
  pose proof (Z.mod_pos_bound (to_Z (carried q i qr)) 2 ltac:(lia)) as Em.
  rewrite <- half_modulo by lia. f_equal.
  rewrite <- Hx, <- Ha. unfold word_of. unfold m, word_of in *. lia.
Qed.

Lemma slot_is r qr : row_is r qr ->
  to_Z (quick_slot q (product q i qr)) = slot_at p (low (interval_of i)) r.
Proof.
  intros H. apply product_is in H as [H _]. unfold slot_at, slot. rewrite H.
  unfold quick_slot. rewrite lsr_spec. destruct fit as (-> & _). unfold bucket.
  pose proof (Z.mod_pos_bound (to_Z (carried q i qr)) 2 ltac:(lia)).
  replace (64 - bits p) with (1 + (63 - bits p)) by lia. rewrite Z.pow_add_r by lia.
  rewrite <- Z.div_div by (try apply Z.pow_nonzero; try apply Z.pow_pos_nonneg; lia).
  change (2 ^ 1) with 2. f_equal.
  rewrite Z.mul_comm, Z.div_add_l by lia. rewrite Z.div_small by lia. lia.
Qed.

Lemma place_is r qr : row_is r qr ->
  (x r * low (interval_of i) + added p) mod bucket (bits p) =
  to_Z (((product q i qr land within q) << 1) + (carried q i qr land 1))%uint63.
Proof.
  intros H. apply product_is in H as [H _]. rewrite <- place_in_bucket by lia.
  fold (value (x r) (added p) (low (interval_of i))). rewrite H.
  rewrite add_spec, doubled, land_1, land_spec', wB63.
  destruct fit as (_ & -> & _). rewrite Z.land_ones by lia.
  set (a := to_Z (product q i qr)). set (b := to_Z (carried q i qr) mod 2).
  assert (Hb : 0 <= b < 2) by (apply Z.mod_pos_bound; lia).
  unfold bucket. replace (64 - bits p) with (1 + (63 - bits p)) by lia. rewrite Z.pow_add_r by lia.
  change (2 ^ 1) with 2. set (s := 2 ^ (63 - bits p)).
  assert (Hs : 0 < s) by (apply Z.pow_pos_nonneg; lia).
  assert (Hs2 : s <= 2 ^ 62) by (apply Z.pow_le_mono_r; lia).
  pose proof (Z.mod_pos_bound a s Hs).
  rewrite (Z.mod_small (2 * _)) by lia.
  rewrite (Z.mod_small _ (2 ^ 63)) by lia.
  symmetry. apply Z.mod_unique with (q := a / s); [lia|].
  pose proof (Z.div_mod a s ltac:(lia)). nia.
Qed.

Lemma stays_is r qr span length : row_is r qr -> to_Z span = length ->
  quick_stays q i qr (product q i qr) span = true ->
  ((x r * low (interval_of i) + added p) mod bucket (bits p) + x r * length <? bucket (bits p)) = true.
Proof.
  intros Hr Hspan. unfold quick_stays. rewrite andb_true_iff, !leb_spec.
  rewrite sub_spec, mul_spec, wB63, <- (place_is r qr Hr).
  destruct Hr as (_ & _ & -> & _ & H0 & Hl & _). destruct fit as (_ & _ & -> & _).
  rewrite Hspan. intros [H1 H2].
  fold (bucket (bits p)) in *.
  assert (HB : 0 < bucket (bits p) <= 2 ^ 63).
  { split; [apply bucket_positive; lia|]. apply Z.pow_le_mono_r; lia. }
  set (place := _ mod bucket (bits p)) in *.
  assert (Hp : 0 <= place < bucket (bits p)) by (apply Z.mod_pos_bound; lia).
  assert (Hlen : 0 <= length) by (rewrite <- Hspan; apply to_Z_bounded).
  assert (Hg : 0 <= x r * length < bucket (bits p)) by nia.
  rewrite Z.mul_mod_idemp_l in H2 by lia.
  rewrite (Z.mod_small (x r * length)) in H2 by lia.
  rewrite Z.mod_small in H2 by lia. apply Z.ltb_lt. lia.
Qed.

End Row.

Lemma fits_of depth p : 0 <= bits p ->
  (forall i, PArray.get (rows_at (quick_of depth p)) i = None) \/
  1 <= bits p <= 63 /\ fits p (quick_of depth p) /\
  forall i q, PArray.get (rows_at (quick_of depth p)) i = Some q -> is_known p i q.
Proof.
  intros H. unfold quick_of. cbv zeta. 
  destruct (_ && _) eqn:E; [right|left; intros i; apply PArray.get_make].
  cbn [quick_least quick_most] in E. rewrite !andb_true_iff in E.
  destruct E as [[[[[E1 E2] E3] E4] E5] E6]. unfold is in *.
  split; [lia|]. split.
  2: { apply all_are_known; [lia|]. intros i q. unfold no_rows. now rewrite PArray.get_make. }
  unfold fits. cbn [shift within last_place added_upper added_lowest quick_least quick_most].
  assert (Hones : forall n, 0 <= n <= 63 -> 0 <= Z.ones n < 2 ^ 63).
  { intros n Hn. rewrite Z.ones_equiv. pose proof (Z.pow_pos_nonneg 2 n ltac:(lia) ltac:(lia)).
    pose proof (Z.pow_le_mono_r 2 n 63 ltac:(lia) ltac:(lia)). lia. }
  rewrite !of_Z_spec, wB63 in *.
  rewrite (Z.mod_small (63 - bits p)) by lia.
  rewrite (Z.mod_small (Z.ones (63 - bits p))) by (apply Hones; lia).
  rewrite (Z.mod_small (Z.ones (64 - bits p))) by (apply Hones; lia).
  repeat split; try apply halved_word; try apply lowest_is_a_bit; rewrite ?Z.ones_equiv; lia.
Qed.

(** The theorem of the quick check: where it says yes, no rule is broken. *)
Section Quick.

Variable p : problem.
Hypothesis sound : is_sound p.
Variable depth : nat.
Let q := quick_of depth p.

Variable i : machine_interval.
Hypothesis low_bit : is_bit (low_lowest i).
Hypothesis high_bit : is_bit (high_lowest i).

Lemma interval_is : is_interval i = true -> interval_fault (interval_of i) = None /\
  1 <= to_Z (its_w i) <= 64 /\ low (interval_of i) <= high (interval_of i).
Proof.
  unfold is_interval. rewrite !andb_true_iff, orb_true_iff, andb_true_iff, !leb_spec, ltb_spec, !eqb_spec.
  change (to_Z 1) with 1. change (to_Z 64) with 64.
  intros [[[H1 H64] Hw] Hlow].
  apply (f_equal to_Z) in Hw. change (to_Z 0) with 0 in Hw.
  rewrite lsr_spec, sub_spec, wB63 in Hw. change (to_Z 1) with 1 in Hw.
  rewrite (Z.mod_small (_ - 1)) in Hw by lia.
  assert (Horder : low (interval_of i) <= high (interval_of i)).
  { cbn [interval_of low high]. unfold word_of, is_bit in *. destruct Hlow as [H|[H H']]; [lia|].
    rewrite H. lia. }
  split; [|lia]. unfold interval_fault.
  replace ((0 <=? w (interval_of i)) && (w (interval_of i) <=? 64)) with true
    by (cbn [interval_of w]; lia).
  replace (low (interval_of i) <=? high (interval_of i)) with true by lia.
  cbn [negb]. replace (Z.shiftr _ _ =? 0) with true; [reflexivity|].
  symmetry. apply Z.eqb_eq. rewrite Z.shiftr_div_pow2 by (cbn [interval_of w]; lia).
  cbn [interval_of w high]. unfold word_of, is_bit in *.
  replace (to_Z (its_w i)) with (1 + (to_Z (its_w i) - 1)) by lia. rewrite Z.pow_add_r by lia.
  rewrite <- Z.div_div by (try apply Z.pow_nonzero; try apply Z.pow_pos_nonneg; lia).
  change (2 ^ 1) with 2. rewrite Z.mul_comm, Z.div_add_l by lia.
  rewrite (Z.div_small (to_Z (high_lowest i))) by lia. now rewrite Z.add_0_r.
Qed.

Lemma looked r qr span length : 1 <= bits p <= 63 -> fits p q ->
  row_is p r qr -> to_Z span = length -> quick_stays q i qr (product q i qr) span = true ->
  look p (low (interval_of i)) length r = (to_Z (quick_slot q (product q i qr)), true).
Proof.
  intros Hfew Hfit Hr Hs H.
  destruct (look p (low (interval_of i)) length r) as [s stay] eqn:E.
  apply (look_is_right p sound) in E as [-> ->].
  rewrite (slot_is p Hfew q Hfit i low_bit r qr Hr). f_equal.
  now apply (stays_is p Hfew q Hfit i low_bit r qr span length).
Qed.

Theorem quick_check_is_right span_upper span_lowest from to :
  is_bit span_lowest ->
  high (interval_of i) = (low (interval_of i) + word_of span_upper span_lowest) mod 2 ^ 64 ->
  quick_check q i span_upper span_lowest from to = true ->
  leaf_fault p {| where_ := interval_of i; first := to_Z from; second := to_Z to |} = None.
Proof.
  intros Hspan Hhigh. unfold quick_check.
  destruct (is_interval i && _ && _) eqn:E; [|easy].
  rewrite !andb_true_iff, leb_spec, eqb_spec in E. destruct E as [[Hi Horder] Hsmall].
  apply interval_is in Hi as (Hi & Hw & Hlow).
  destruct (PArray.get (rows_at q) from) as [qr|] eqn:Er; [|easy].
  destruct (PArray.get (rows_at q) to) as [qr'|] eqn:Er'; [|easy].
  destruct (fits_of depth p ltac:(apply (bits_are_few p sound))) as [Et|(Hfew & Hfit & Et)];
    fold q in Et.
  { now rewrite Et in Er. }
  fold q in Hfit. apply Et in Er as (r & Er & Hr). apply Et in Er' as (r' & Er' & Hr').
  apply (f_equal to_Z) in Hsmall. change (to_Z 0) with 0 in Hsmall.
  rewrite lsr_spec in Hsmall. change (to_Z 62) with 62 in Hsmall.
  assert (Hsu : to_Z span_upper < 2 ^ 62).
  { pose proof (to_Z_bounded span_upper). apply Z.div_small_iff in Hsmall; lia. }
  assert (Hs : to_Z ((span_upper << 1) + span_lowest)%uint63 = high (interval_of i) - low (interval_of i)).
  { unfold is_bit in *. rewrite add_spec, doubled, wB63. pose proof (to_Z_bounded span_upper).
    rewrite (Z.mod_small (2 * _)) by lia. rewrite Z.mod_small by lia.
    rewrite Hhigh in Hlow |- *. unfold word_of in *.
    set (a := low (interval_of i)) in *. set (b := 2 * to_Z span_upper + to_Z span_lowest) in *.
    assert (Ha : 0 <= a < 2 ^ 64).
    { unfold a. cbn [interval_of low]. unfold word_of. pose proof (to_Z_bounded (low_upper i)).
      rewrite wB63 in *. lia. }
    destruct (Z.lt_ge_cases (a + b) (2 ^ 64)); [rewrite Z.mod_small by lia; lia|].
    replace ((a + b) mod 2 ^ 64) with (a + b - 2 ^ 64) in Hlow; [lia|].
    apply Z.mod_unique with (q := 1); lia. }
  unfold is_true. rewrite !andb_true_iff. intros [[[[Hwr Hwr'] Hst] Hst'] Hlast].
  rewrite leb_spec in Hwr, Hwr'.
  pose proof (looked r qr _ _ Hfew Hfit Hr Hs Hst) as El.
  pose proof (looked r' qr' _ _ Hfew Hfit Hr' Hs Hst') as El'.
  unfold leaf_fault, fault_of. cbv zeta. cbn [where_ first second].
  rewrite Hi. unfold claims_magics; cbn [first second].
  replace ((to_Z from =? 1) && (to_Z to =? 0)) with false by lia.
  replace (to_Z to <? to_Z from) with false by lia.
  rewrite Er, Er'. unfold conflict_or_slot_fault. cbn [where_ first second].
  rewrite El, El'.
  assert (E1 : width r <= w (interval_of i)).
  { destruct Hr as (_ & _ & _ & Hwid & _). cbn [interval_of w]. lia. }
  assert (E2 : width r' <= w (interval_of i)).
  { destruct Hr' as (_ & _ & _ & Hwid & _). cbn [interval_of w]. lia. }
  replace ((width r <=? w (interval_of i)) && (width r' <=? w (interval_of i))) with true by lia.
  cbn [negb andb].
  destruct (eqbP from to) as [E|E].
  - rewrite (proj2 (Z.eqb_eq _ _) E).
    replace (is_allowed p _) with false; [reflexivity|].
    symmetry. apply negb_true_iff in Hlast. apply andb_false_iff in Hlast.
    destruct Hfit as (_ & _ & _ & _ & _ & Hle & Hmo). unfold is_allowed. rewrite <- Hle, <- Hmo.
    apply andb_false_iff. destruct Hlast as [Hf|Hf]; [left|right]; apply Z.leb_gt;
      apply Z.nle_gt; rewrite <- leb_spec, Hf; easy.
  - rewrite (proj2 (Z.eqb_neq _ _) E).
    apply andb_true_iff in Hlast as [Hsame Hattack]. apply eqb_spec in Hsame.
    rewrite Hsame, Z.eqb_refl. cbn [negb].
    destruct (Z.eqb_spec (attack r) (attack r')) as [Ea|]; [|reflexivity].
    destruct Hr as (_ & _ & _ & _ & _ & _ & Hu & Hl), Hr' as (_ & _ & _ & _ & _ & _ & Hu' & Hl').
    rewrite Hu, Hl, Hu', Hl', Ea, !eqb_refl in Hattack. easy.
Qed.

End Quick.

(** ** Joining on the machine is joining *)

(** What is pushed is always so. *)
Definition is_proper (i : machine_interval) : Prop :=
  is_bit (low_lowest i) /\ is_bit (high_lowest i) /\ 0 <= to_Z (its_w i) <= 64 /\
  low (interval_of i) <= high (interval_of i).

Lemma same_word a b c d : is_bit b -> is_bit d ->
  word_of a b = word_of c d <-> to_Z a = to_Z c /\ to_Z b = to_Z d.
Proof. unfold is_bit, word_of. lia. Qed.

Lemma joined_on_the_machine i j : is_proper i -> is_proper j ->
  joined (interval_of i) (interval_of j) = option_map interval_of (machine_joined i j) /\
  forall k, machine_joined i j = Some k -> is_proper k.
Proof.
  intros (Hli & Hhi & Hwi & Hi) (Hlj & Hhj & Hwj & Hj).
  unfold joined, machine_joined. unfold is_bit in *. cbn [interval_of w low high] in *.
  pose proof (to_Z_bounded (low_upper i)). pose proof (to_Z_bounded (high_upper i)).
  pose proof (to_Z_bounded (low_upper j)). pose proof (to_Z_bounded (high_upper j)).
  rewrite wB63 in *.
  destruct (eqbP (its_w i) (its_w j)) as [E|E];
    [rewrite (proj2 (Z.eqb_eq _ _) E)|rewrite (proj2 (Z.eqb_neq _ _) E)]; cbn [negb];
    [|split; [reflexivity|discriminate]].
  match goal with |- context [if ?b then Some _ else _] => 
    match b with Z.eqb ?l ?r => set (adjacent := Z.eqb l r) end end.
  match goal with |- context [if (if ?a then ?b else ?c) then Some _ else _] => 
    set (quick_adjacent := if a then b else c) end.
  assert (Hadj : quick_adjacent = adjacent).
  { unfold quick_adjacent, adjacent. apply eq_true_iff_eq. rewrite Z.eqb_eq. unfold word_of in *.
    destruct (eqbP (low_lowest j) 0) as [E0|E0]; change (to_Z 0) with 0 in E0.
    - rewrite !andb_true_iff, negb_true_iff.
      destruct (eqbP (low_upper j) 0) as [E1|E1]; change (to_Z 0) with 0 in E1; [lia|].
      destruct (eqbP (high_upper i) (low_upper j - 1)) as [E2|E2];
      destruct (eqbP (high_lowest i) 1) as [E3|E3]; change (to_Z 1) with 1 in *;
      rewrite sub_spec, wB63 in E2; change (to_Z 1) with 1 in E2;
      rewrite Z.mod_small in E2 by lia; lia.
    - rewrite andb_true_iff.
      destruct (eqbP (high_upper i) (low_upper j)) as [E2|E2];
      destruct (eqbP (high_lowest i) 0) as [E3|E3]; change (to_Z 0) with 0 in *; lia. }
  rewrite Hadj. destruct adjacent eqn:Ead.
  { split; [reflexivity|]. intros k [= <-]. unfold is_proper, is_bit.
    cbn [interval_of w low high its_w low_upper low_lowest high_upper high_lowest].
    unfold adjacent in Ead. apply Z.eqb_eq in Ead. unfold word_of in *. lia. }
  unfold adjacent in Ead. apply Z.eqb_neq in Ead. clear Hadj quick_adjacent adjacent.
  cbv zeta. change (to_Z 1) with 1 in *. change (to_Z 0) with 0 in *.
  destruct (leb (its_w i) 1) eqn:E1.
  { rewrite leb_spec in E1. change (to_Z 1) with 1 in E1.
    split; [|discriminate]. cbn [option_map].
    match goal with |- (if ?b then _ else _) = _ => destruct b eqn:Eb end; [|reflexivity].
    exfalso. rewrite !andb_true_iff in Eb.
    destruct Eb as [[[Eb1 Eb2] Eb3] Eb4].
    assert (to_Z (its_w i) = 1) as E2 by lia. rewrite E2 in *. change (2 ^ (1 - 1)) with 1 in *.
    unfold word_of in *. lia. }
  assert (Htwo : 2 <= to_Z (its_w i)).
  { apply Z.nlt_ge. intros Hc. assert (to_Z (its_w i) <= to_Z 1) as Hd by (change (to_Z 1) with 1; lia).
    rewrite <- leb_spec in Hd. congruence. }
  assert (Ew2 : to_Z (its_w i - 2)%uint63 = to_Z (its_w i) - 2).
  { rewrite sub_spec, wB63. change (to_Z 2) with 2. apply Z.mod_small. lia. }
  assert (Ew1 : to_Z (its_w i - 1)%uint63 = to_Z (its_w i) - 1).
  { rewrite sub_spec, wB63. change (to_Z 1) with 1. apply Z.mod_small. lia. }
  set (half := 2 ^ (to_Z (its_w i) - 2)).
  assert (Hh : 0 < half <= 2 ^ 62).
  { split; [apply Z.pow_pos_nonneg; lia|apply Z.pow_le_mono_r; lia]. }
  assert (Eh : to_Z (1 << (its_w i - 2))%uint63 = half).
  { rewrite lsl_spec, Ew2, wB63. change (to_Z 1) with 1. fold half. rewrite Z.mod_small; lia. }
  assert (E2h : 2 ^ (to_Z (its_w i) - 1) = 2 * half).
  { unfold half. replace (to_Z (its_w i) - 1) with (1 + (to_Z (its_w i) - 2)) by lia.
    now rewrite Z.pow_add_r by lia. }
  rewrite E2h.
  match goal with |- (if ?b then _ else _) = option_map _ (if ?c then _ else _) /\ _ =>
    assert (Hbc : b = c) end.
  { apply eq_true_iff_eq. rewrite !andb_true_iff, !Z.eqb_eq, !Z.ltb_lt, ltb_spec, Eh.
    destruct (eqbP (low_upper j) (low_upper i + (1 << (its_w i - 2)))) as [F1|F1];
    destruct (eqbP (low_lowest j) (low_lowest i)) as [F2|F2];
    destruct (eqbP (high_upper j) (high_upper i + (1 << (its_w i - 2)))) as [F3|F3];
    destruct (eqbP (high_lowest j) (high_lowest i)) as [F4|F4];
    rewrite add_spec, wB63, Eh in F1, F3; unfold word_of in *;
    (destruct (Z.lt_ge_cases (to_Z (high_upper i)) half);
     [rewrite !Z.mod_small in F1, F3 by lia|]); lia. }
  rewrite <- Hbc. match goal with |- (if ?b then _ else _) = _ /\ _ => destruct b eqn:Eb end;
    [|split; [reflexivity|discriminate]].
  split.
  - cbn [option_map]. f_equal. unfold interval_of.
    cbn [its_w low_upper low_lowest high_upper high_lowest]. now rewrite Ew1.
  - intros k [= <-]. unfold is_proper, is_bit.
    cbn [interval_of w low high its_w low_upper low_lowest high_upper high_lowest].
    rewrite Ew1. lia.
Qed.

Lemma pushed_on_the_machine before : forall i,
  Forall is_proper before -> is_proper i ->
  push (map interval_of before) (interval_of i) = map interval_of (machine_push before i) /\
  Forall is_proper (machine_push before i).
Proof.
  induction before as [|last others IH]; cbn [map push machine_push]; intros i Hb Hi.
  - split; [reflexivity|]. auto.
  - inversion_clear Hb as [|? ? Hlast Hothers].
    destruct (joined_on_the_machine last i Hlast Hi) as [-> Hk].
    destruct (machine_joined last i) as [k|]; cbn [option_map].
    + apply IH; auto.
    + split; [reflexivity|]. auto.
Qed.
