(** * Counting slots, L16 and L18: how often the line can lie on itself

    proofs/rounding-lemma.md, "Counting slots"; and the same by small boxes of steps, moves and offsets, which
    a program can go through: what surely shares a slot in a box, and what possibly does. *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Words Counting Translates Slots.
Import ListNotations.
Open Scope Z_scope.

Lemma total_incl {A} (l l' : list A) f :
  (forall a, 0 <= f a) -> NoDup l -> incl l l' -> total l f <= total l' f.
Proof.
  intros Hf. revert l'. induction l as [|a l IH]; intros l' Hd Hi.
  - cbn [total fold_right]. rewrite <- (Z.mul_0_l (Z.of_nat (length l'))), <- total_constant.
    apply total_le. auto.
  - inversion_clear Hd as [|? ? Ha Hl]. destruct (in_split a l') as (l1 & l2 & ->); [apply Hi; now left|].
    change (total (a :: l) f) with (f a + total l f). rewrite total_app.
    change (total (a :: l2) f) with (f a + total l2 f).
    specialize (IH (l1 ++ l2) Hl). rewrite total_app in IH. enough (incl l (l1 ++ l2)) by (specialize (IH H); lia).
    intros b Hb. assert (In b (l1 ++ a :: l2)) as H by (apply Hi; now right).
    apply in_app_or in H as [H|[<-|H]]; [|easy|]; apply in_or_app; auto.
Qed.

Lemma total_filter {A} (l : list A) p f :
  total (filter p l) f = total l (fun a => if p a : bool then f a else 0).
Proof.
  unfold total. induction l as [|a l IH]; cbn [filter fold_right]; [easy|].
  destruct (p a); cbn [fold_right]; lia.
Qed.

Lemma total_prod {A C} (l : list A) (l' : list C) f :
  total (list_prod l l') f = total l (fun a => total l' (fun b => f (a, b))).
Proof.
  induction l as [|a l IH]; cbn [list_prod]; [easy|].
  rewrite total_app, total_map, IH. easy.
Qed.

Lemma total_flat_map {A C} (l : list A) (g : A -> list C) f :
  total (flat_map g l) f = total l (fun a => total (g a) f).
Proof.
  induction l as [|a l IH]; cbn [flat_map]; [easy|]. rewrite total_app, IH. easy.
Qed.

(** If some multiple of M is between low and high, the last one up to high is. *)
Lemma multiple_between M low high k : 0 < M -> low <= k * M <= high -> high mod M <= high - low.
Proof.
  intros HM H. pose proof (Z.div_mod high M ltac:(lia)). pose proof (Z.mod_pos_bound high M HM).
  assert (k <= high / M) by (apply Z.div_le_lower_bound; lia). nia.
Qed.

Section Overlaps.

Variable bits : Z.
Hypothesis few : 0 <= bits <= 64.
Let B := bucket bits.
Let N := 2 ^ bits.

Let HB : 0 < B := bucket_positive bits few.
Lemma N_positive : 0 < N. Proof. apply Z.pow_pos_nonneg; lia. Qed.
Lemma words_are_slots : 2 ^ 64 = N * B. Proof. exact (buckets_fill_the_words bits few). Qed.

Notation slot_at := (slot_at bits).

Lemma same_slot t p p' : slot_at t p = slot_at t p' <-> exists k, (p' - t) / B = (p - t) / B + k * N.
Proof.
  unfold Slots.slot_at. fold B N. pose proof N_positive as HN.
  set (u := (p - t) / B). set (v := (p' - t) / B). split.
  - intros Huv. exists (v / N - u / N). pose proof (Z.div_mod u N ltac:(lia)).
    pose proof (Z.div_mod v N ltac:(lia)). lia.
  - intros [k ->]. now rewrite Z.mod_add by lia.
Qed.

(** Only the product modulo 2^64 counts, and only where a slot begins. *)
Lemma slot_of_word t p k : slot_at t (p + k * 2 ^ 64) = slot_at t p.
Proof.
  unfold Slots.slot_at. fold B N. rewrite words_are_slots. pose proof N_positive.
  replace (p + k * (N * B) - t) with (p - t + k * N * B) by ring.
  rewrite Z.div_add by lia. now rewrite Z.mod_add by lia.
Qed.

Lemma same_slot_by_place t p p' :
  slot_at t p = slot_at t p' <-> slot_at (t mod B) p = slot_at (t mod B) p'.
Proof.
  rewrite !same_slot. assert (E : forall q, (q - t mod B) / B = (q - t) / B + t / B).
  { intros q. pose proof (Z.div_mod t B ltac:(lia)). rewrite <- Z.div_add by lia. f_equal. lia. }
  rewrite !E. split; intros [k Hk]; exists k; lia.
Qed.

(** Who shares a slot is less than a slot apart, on the circle of all words. *)
Lemma share_near t p p' : slot_at t p = slot_at t p' -> exists k, - B < p' - p - k * 2 ^ 64 < B.
Proof.
  rewrite same_slot, words_are_slots. intros [k Hk]. exists k.
  pose proof (Z.div_mod (p - t) B ltac:(lia)). pose proof (Z.mod_pos_bound (p - t) B HB).
  pose proof (Z.div_mod (p' - t) B ltac:(lia)). pose proof (Z.mod_pos_bound (p' - t) B HB). nia.
Qed.

Variables (line : list Z) (kind : Z -> Z).
Hypothesis once : NoDup line.

Definition is_pattern (r : Z) : bool := existsb (Z.eqb r) line.

Lemma is_pattern_in r : is_pattern r = true <-> In r line.
Proof.
  unfold is_pattern. rewrite existsb_exists. split.
  - intros (r' & H & E). apply Z.eqb_eq in E. now subst.
  - intros H. exists r. split; [assumption|apply Z.eqb_refl].
Qed.

(** D12: the patterns r for which r + d is a pattern, too. *)
Definition pairs_of (d : Z) : list (Z * Z) :=
  map (fun r => (r, r + d)) (filter (fun r => is_pattern (r + d)) line).

Variable differences : list Z.
Hypothesis all_differences : forall r r', In r line -> In r' line -> In (r' - r) differences.

Lemma by_differences (g : Z * Z -> Z) :
  (forall pair, 0 <= g pair) ->
  total (list_prod line line) g <= total differences (fun d => total (pairs_of d) g).
Proof.
  intros Hg. rewrite total_prod. unfold pairs_of.
  rewrite (total_ext differences _
    (fun d => total line (fun r => if is_pattern (r + d) then g (r, r + d) else 0))).
  2:{ intros d _. now rewrite total_map, total_filter. }
  rewrite (total_swap differences line). apply total_le. intros r Hr.
  rewrite (total_ext line _ (fun r' => (fun d => if is_pattern (r + d) then g (r, r + d) else 0) (r' - r))).
  2:{ intros r' Hr'. cbv beta. replace (r + (r' - r)) with r' by lia.
      now rewrite (proj2 (is_pattern_in r') Hr'). }
  rewrite <- (total_map line (fun r' => r' - r)
    (fun d => if is_pattern (r + d) then g (r, r + d) else 0)). apply total_incl.
  - intros d. destruct (is_pattern (r + d)); auto. lia.
  - apply FinFun.Injective_map_NoDup; [|assumption]. intros u v. lia.
  - intros d Hd. apply in_map_iff in Hd as (r' & <- & Hr'). auto.
Qed.

(** ** L16 and L18 *)

(** On the circle of length B: x is one of the [long] numbers from [start] on. *)
Definition on_arc (start long x : Z) : Prop := (x - start) mod B < long.

(** p + delta and p are in one slot if and only if p is, modulo B, on an arc of B - abs delta numbers. *)
Lemma arc_of_a_slot t delta p :
  Z.abs delta < B ->
  (p - t) / B = (p + delta - t) / B <-> on_arc (t + Z.max 0 (- delta)) (B - Z.abs delta) p.
Proof.
  intros Hd. unfold on_arc. set (q := (p - t) mod B).
  pose proof (Z.div_mod (p - t) B ltac:(lia)) as E. pose proof (Z.mod_pos_bound (p - t) B HB) as Hq.
  fold q in E, Hq.
  assert (H1 : (p - t) / B = (p + delta - t) / B <-> 0 <= q + delta < B).
  { pose proof (Z.div_mod (p + delta - t) B ltac:(lia)) as E'.
    pose proof (Z.mod_pos_bound (p + delta - t) B HB) as Hq'. split.
    - intros Heq. rewrite <- Heq in E'. lia.
    - intros H. apply Z.div_unique with (r := q + delta); lia. }
  rewrite H1. clear H1. destruct (Z.le_gt_cases 0 delta).
  - replace (Z.max 0 (- delta)) with 0 by lia. rewrite Z.add_0_r. fold q. lia.
  - replace (Z.max 0 (- delta)) with (- delta) by lia.
    replace (p - (t + - delta)) with (q + delta + (p - t) / B * B) by lia.
    rewrite Z.mod_add by lia. destruct (Z.le_gt_cases 0 (q + delta)).
    + rewrite Z.mod_small by lia. lia.
    + replace (q + delta) with (q + delta + B + -1 * B) by lia. rewrite Z.mod_add by lia.
      rewrite Z.mod_small by lia. lia.
Qed.

(** L17. A chain of points that closes after one turn, and its links. *)
Fixpoint links {A : Type} (first : A) (rest : list A) : list (A * A) :=
  match rest with [] => [] | second :: rest => (first, second) :: links second rest end.

Lemma links_of_map {A C : Type} (g : A -> C) rest : forall first,
  links (g first) (map g rest) = map (fun link => (g (fst link), g (snd link))) (links first rest).
Proof. induction rest as [|b rest IH]; cbn [links map fst snd]; intros first; [easy|]. now rewrite IH. Qed.

(** Who steps over an arc without a foot on it makes a long step. *)
Lemma long_link start long rest : forall X,
  X < start -> (exists Y, In Y rest /\ start <= Y) ->
  (forall Y, In Y rest -> ~ (start <= Y < start + long)) ->
  exists link, In link (links X rest) /\ long < snd link - fst link.
Proof.
  induction rest as [|Y rest IH]; intros X HX (Z0 & HZ & Hs) Hf; [easy|]. cbn [links].
  destruct (Z.le_gt_cases start Y) as [H|H].
  - exists (X, Y). split; [now left|]. cbn [fst snd]. specialize (Hf Y ltac:(now left)). lia.
  - destruct (IH Y H) as (link & Hl & Hlong).
    + exists Z0. destruct HZ as [->|HZ]; [lia|auto].
    + intros Y' HY'. apply Hf. now right.
    + exists link. split; [now right|assumption].
Qed.

(** The points are those of [begin], each with its pattern: a free arc at any step of the node is no longer
    than some link, if that is as long as it can become. *)
Theorem L17 begin w a start long x0 r0 rest :
  begin <= a <= begin + w ->
  (forall point, In point ((x0, r0) :: rest) -> exists i, fst point = snd point * begin + i * B) ->
  (forall point, In point ((x0, r0) :: rest) -> ~ on_arc start long (snd point * a)) ->
  exists link, In link (links (x0, r0) (rest ++ [(x0 + B, r0)])) /\
    long < fst (snd link) - fst (fst link) + Z.max 0 (snd (snd link) - snd (fst link)) * w.
Proof.
  intros Ha Hx Hf. set (moved := fun point : Z * Z => fst point + snd point * (a - begin)).
  set (all := rest ++ [(x0 + B, r0)]). set (X0 := moved (x0, r0)).
  set (start' := X0 + 1 + (start - X0 - 1) mod B).
  pose proof (Z.mod_pos_bound (start - X0 - 1) B HB) as Hm.
  pose proof (Z.div_mod (start - X0 - 1) B ltac:(lia)) as Ed.
  assert (Hplace : forall point, In point ((x0, r0) :: all) -> exists i, moved point = snd point * a + i * B /\
    ~ on_arc start long (snd point * a)).
  { intros point Hp. assert (Hcase : In point ((x0, r0) :: rest) \/ point = (x0 + B, r0)).
    { destruct Hp as [->|Hp]; [left; now left|]. unfold all in Hp. apply in_app_or in Hp as [Hp|[<-|[]]]; auto.
      left. now right. }
    destruct Hcase as [H| ->].
    - destruct (Hx point H) as [i Hi]. exists i. split; [unfold moved; lia|auto].
    - destruct (Hx (x0, r0) ltac:(now left)) as [i Hi]. cbn [fst snd] in *. exists (i + 1).
      split; [unfold moved; cbn [fst snd]; lia|]. apply (Hf (x0, r0)). now left. }
  destruct (long_link start' long (map moved all) X0) as (link & Hl & Hlong).
  - unfold start'. lia.
  - exists (moved (x0 + B, r0)). split.
    + apply in_map. unfold all. apply in_or_app. right. now left.
    + unfold start', X0, moved in *. cbn [fst snd] in *. lia.
  - intros Y HY [H1 H2]. apply in_map_iff in HY as (point & <- & Hp).
    destruct (Hplace point ltac:(now right)) as (i & Hi & Hno). apply Hno. unfold on_arc.
    assert (E : (snd point * a - start) mod B = (moved point - start') mod B).
    { assert (moved point - start' = snd point * a - start + (i + (start - X0 - 1) / B) * B) as ->
        by (unfold start'; lia).
      now rewrite Z.mod_add by lia. }
    rewrite E. pose proof (Z.mod_le (moved point - start') B ltac:(lia) HB). lia.
  - unfold X0 in Hl. rewrite links_of_map in Hl. apply in_map_iff in Hl as ([[x r] [x' r']] & <- & Hl).
    exists ((x, r), (x', r')). split; [assumption|]. unfold moved in Hlong. cbn [fst snd] in *.
    destruct (Z.le_gt_cases 0 (r' - r)); [rewrite Z.max_r by lia|rewrite Z.max_l by lia]; nia.
Qed.

Section One_step.

Variable a : Z.

Notation misses := (misses bits line a).
Notation feasible := (feasible bits line a).
Notation compatible := (compatible bits line kind a).
Notation sharing := (sharing bits line a).

(** How far r a and (r + d) a + y are apart, on the circle of all words. *)
Definition apart_by (d y delta : Z) : Prop := Z.abs delta < B /\ exists k, delta = y + d * a - k * 2 ^ 64.

Lemma sharing_is_on_an_arc t d y delta r :
  apart_by d y delta ->
  on_arc (t + Z.max 0 (- delta)) (B - Z.abs delta) (r * a) ->
  slot_at t (r * a) = slot_at t ((r + d) * a + y).
Proof.
  intros [Hd [k E]] H. apply (arc_of_a_slot t delta (r * a) Hd) in H.
  replace ((r + d) * a + y) with (r * a + delta + k * 2 ^ 64) by lia. rewrite slot_of_word.
  unfold Slots.slot_at. fold B N. now rewrite H.
Qed.

(** L16: where no arc is free for the patterns of some difference, a move is not feasible. *)
Theorem L16 d y delta :
  feasible y -> apart_by d y delta ->
  exists start, forall r, In r line -> In (r + d) line -> ~ on_arc start (B - Z.abs delta) (r * a).
Proof.
  intros [t Ht] Hd. exists (t + Z.max 0 (- delta)). intros r Hr Hr' H.
  apply (Ht r (r + d) Hr Hr'). now apply sharing_is_on_an_arc with delta.
Qed.

(** What shares a slot lies on the arc of its difference. *)
Lemma who_shares t d y r :
  slot_at t (r * a) = slot_at t ((r + d) * a + y) ->
  exists delta, apart_by d y delta /\ on_arc (t + Z.max 0 (- delta)) (B - Z.abs delta) (r * a).
Proof.
  intros H. pose proof H as H2. apply same_slot in H as [k Hk].
  pose proof (Z.div_mod (r * a - t) B ltac:(lia)). pose proof (Z.mod_pos_bound (r * a - t) B HB).
  set (p' := (r + d) * a + y) in *.
  pose proof (Z.div_mod (p' - t) B ltac:(lia)). pose proof (Z.mod_pos_bound (p' - t) B HB).
  pose proof words_are_slots as HW.
  set (delta := y + d * a - k * 2 ^ 64).
  assert (Ed : p' = r * a + delta + k * 2 ^ 64) by (unfold p', delta; lia).
  assert (Hd : Z.abs delta < B).
  { assert (delta = (p' - t) mod B - (r * a - t) mod B); [|lia]. rewrite HW in *. nia. }
  exists delta. split; [split; [assumption|now exists k]|].
  apply (arc_of_a_slot t delta (r * a) Hd).
  assert ((p' - t) / B = (r * a + delta - t) / B + k * N); [|lia].
  rewrite <- Z.div_add by lia. f_equal. rewrite Ed, HW. ring.
Qed.

(** With more than one slot a difference has one distance below a slot, at most. *)
Lemma one_distance d y delta delta' :
  1 <= bits -> apart_by d y delta -> apart_by d y delta' -> delta = delta'.
Proof.
  intros Hb [H [k E]] [H' [k' E']].
  assert (2 * B <= 2 ^ 64).
  { rewrite words_are_slots. unfold N. replace bits with (1 + (bits - 1)) by lia.
    rewrite Z.pow_add_r by lia. assert (0 < 2 ^ (bits - 1)) by (apply Z.pow_pos_nonneg; lia). nia. }
  assert (k = k') by nia. subst. lia.
Qed.

(** L18: [most d] is the largest number of patterns of the difference d on an arc of B - abs delta numbers
    on which all are alike. Then no more pairs share a slot than all [most d] together. *)
Theorem L18 t y (most : Z -> Z) :
  1 <= bits -> compatible t y ->
  (forall d, 0 <= most d) ->
  (forall d delta start some,
     apart_by d y delta -> NoDup some ->
     (forall r, In r line -> In (r + d) line -> on_arc start (B - Z.abs delta) (r * a) -> kind r = kind (r + d)) ->
     (forall r, In r some -> In r line /\ In (r + d) line /\ on_arc start (B - Z.abs delta) (r * a)) ->
     Z.of_nat (length some) <= most d) ->
  sharing t y <= total differences most.
Proof.
  intros Hb Hc H0 H. unfold Slots.sharing. etransitivity.
  { apply (by_differences (fun pair => Z.b2z (share bits a t y pair))).
    intros pair. destruct (share bits a t y pair); cbn; lia. }
  apply total_le. intros d _. unfold pairs_of. rewrite total_map, total_of_bools.
  set (some := filter _ _).
  assert (Hs : forall r, In r some ->
    In r line /\ In (r + d) line /\ slot_at t (r * a) = slot_at t ((r + d) * a + y)).
  { intros r Hr. unfold some in Hr. apply filter_In in Hr as [Hr Hs]. apply filter_In in Hr as [Hr Hp].
    apply is_pattern_in in Hp. unfold share in Hs. cbn [fst snd] in Hs. now apply Z.eqb_eq in Hs. }
  destruct some as [|r0 rest] eqn:Es; [cbn; apply H0|].
  destruct (Hs r0 ltac:(now left)) as (_ & _ & H1). destruct (who_shares t d y r0 H1) as (delta & Hd & _).
  apply (H d delta (t + Z.max 0 (- delta))); auto.
  - rewrite <- Es. unfold some. apply NoDup_filter, NoDup_filter, once.
  - intros r Hr Hr' Ha. apply Hc; auto. now apply sharing_is_on_an_arc with delta.
  - intros r Hr. destruct (Hs r Hr) as (H2 & H3 & H4). repeat split; auto.
    destruct (who_shares t d y r H4) as (delta' & Hd' & Ha).
    now rewrite (one_distance d y delta delta') by assumption.
Qed.

End One_step.

(** ** Boxes *)

(** The step from [from] to from + wide, the move from [at_] to at_ + g, the offset from T to T + h. *)
Section Box.

Variables from wide : Z.
Hypothesis wide_nonnegative : 0 <= wide.
Hypothesis patterns_nonnegative : forall r, In r line -> 0 <= r.

(** Whether patterns that differ by d can be less than a slot apart. *)
Definition near (at_ g d : Z) : bool :=
  let low := at_ + Z.min (d * from) (d * (from + wide)) - B + 1 in
  let high := at_ + g + Z.max (d * from) (d * (from + wide)) + B - 1 in
  high mod 2 ^ 64 <=? high - low.

(** The slots, not modulo N, in which a pattern, and one that is moved, begin and end. *)
Definition ends (T h at_ g r : Z) : Z * Z :=
  ((r * from + at_ - T - h) / B, (r * (from + wide) + at_ + g - T) / B).

Definition surely (T h at_ g : Z) (pair : Z * Z) : bool :=
  let (i, j) := ends T h 0 0 (fst pair) in
  let (i', j') := ends T h at_ g (snd pair) in
  (i =? j) && (i' =? j') && ((i' - i) mod N =? 0).

Definition possibly (T h at_ g : Z) (pair : Z * Z) : bool :=
  let (i, j) := ends T h 0 0 (fst pair) in
  let (i', j') := ends T h at_ g (snd pair) in
  (j' - i) mod N <=? (j' - i) - (i' - j).

Variables (a : Z).
Hypothesis step : from <= a <= from + wide.

Lemma between_ends T h at_ g r t y :
  0 <= r -> T <= t <= T + h -> at_ <= y <= at_ + g ->
  fst (ends T h at_ g r) <= (r * a + y - t) / B <= snd (ends T h at_ g r).
Proof. intros Hr Ht Hy. unfold ends. cbn [fst snd]. split; apply Z.div_le_mono; nia. Qed.

Lemma sure_is_sure T h at_ g t y r r' :
  In r line -> In r' line -> T <= t <= T + h -> at_ <= y <= at_ + g ->
  surely T h at_ g (r, r') = true -> slot_at t (r * a) = slot_at t (r' * a + y).
Proof.
  intros Hr Hr' Ht Hy H. unfold surely in H. cbn [fst snd] in H.
  pose proof (between_ends T h 0 0 r t 0 (patterns_nonnegative r Hr) Ht ltac:(lia)) as H1.
  pose proof (between_ends T h at_ g r' t y (patterns_nonnegative r' Hr') Ht Hy) as H2.
  destruct (ends T h 0 0 r) as [i j], (ends T h at_ g r') as [i' j']. cbn [fst snd] in *.
  rewrite !andb_true_iff, !Z.eqb_eq in H. destruct H as [[E E'] E2].
  rewrite Z.add_0_r in H1. apply same_slot.
  pose proof N_positive. pose proof (Z.div_mod (i' - i) N ltac:(lia)). exists ((i' - i) / N). lia.
Qed.

Lemma shared_is_possible T h at_ g t y r r' :
  In r line -> In r' line -> T <= t <= T + h -> at_ <= y <= at_ + g ->
  slot_at t (r * a) = slot_at t (r' * a + y) -> possibly T h at_ g (r, r') = true.
Proof.
  intros Hr Hr' Ht Hy H. unfold possibly. cbn [fst snd].
  pose proof (between_ends T h 0 0 r t 0 (patterns_nonnegative r Hr) Ht ltac:(lia)) as H1.
  pose proof (between_ends T h at_ g r' t y (patterns_nonnegative r' Hr') Ht Hy) as H2.
  destruct (ends T h 0 0 r) as [i j], (ends T h at_ g r') as [i' j']. cbn [fst snd] in *.
  rewrite Z.add_0_r in H1. apply same_slot in H as [k Hk]. apply Z.leb_le.
  apply multiple_between with (k := k); [apply N_positive|]. lia.
Qed.

Lemma shared_is_near at_ g t y r r' :
  at_ <= y <= at_ + g -> slot_at t (r * a) = slot_at t (r' * a + y) -> near at_ g (r' - r) = true.
Proof.
  intros Hy H. apply share_near in H as [k Hk]. unfold near. apply Z.leb_le.
  apply multiple_between with (k := k); [lia|].
  set (d := r' - r) in *. replace (r' * a + y - r * a) with (d * a + y) in Hk by (unfold d; ring).
  assert (Z.min (d * from) (d * (from + wide)) <= d * a <= Z.max (d * from) (d * (from + wide))).
  { destruct (Z.le_gt_cases 0 d); nia. }
  lia.
Qed.

Definition alike (pair : Z * Z) : bool := kind (fst pair) =? kind (snd pair).

(** Patterns that no offset brings into one slot, taken one after the other. *)
Fixpoint pick (todo picked : list Z) : list Z :=
  match todo with
  | [] => picked
  | r :: todo =>
      if forallb (fun r' => negb (alike (r, r')) || negb (near 0 0 (r' - r))) picked
      then pick todo (r :: picked) else pick todo picked
  end.

Lemma picked_apart todo : forall picked,
  incl todo line -> apart bits line kind a picked -> apart bits line kind a (pick todo picked).
Proof.
  induction todo as [|r todo IH]; cbn [pick]; intros picked Hin Hp; [assumption|].
  assert (Hr : In r line) by (apply Hin; now left).
  assert (Ht : incl todo line) by (intros r' H; apply Hin; now right).
  destruct (forallb _ _) eqn:E; [|now apply IH]. apply IH; [assumption|]. destruct Hp as [Hp1 Hp2]. split.
  - intros r' [<-|H]; auto.
  - constructor; [|assumption]. apply Forall_forall. intros r' Hr' Hk t Hs.
    rewrite forallb_forall in E. specialize (E r' Hr'). unfold alike in E. cbn [fst snd] in E.
    rewrite Hk, Z.eqb_refl in E. cbn in E.
    rewrite (shared_is_near 0 0 t 0 r r') in E; [easy|lia|]. now rewrite Z.add_0_r.
Qed.

(** *** One cell of moves, all offsets *)

(** Offsets are cut in [cuts] parts of h + 1. *)
Variables (cuts : nat) (h : Z).
Hypothesis cut : B = Z.of_nat cuts * (h + 1).
Hypothesis h_nonnegative : 0 <= h.

Definition starts : list Z := map (fun j => Z.of_nat j * (h + 1)) (seq 0 cuts).

Lemma offset_has_a_start t : exists T, In T starts /\ T <= t mod B <= T + h.
Proof.
  pose proof (Z.mod_pos_bound t B HB). pose proof (Z.div_mod (t mod B) (h + 1) ltac:(lia)).
  pose proof (Z.mod_pos_bound (t mod B) (h + 1) ltac:(lia)).
  exists ((t mod B) / (h + 1) * (h + 1)). split; [|lia].
  assert (0 <= t mod B / (h + 1)) by (apply Z.div_pos; lia).
  assert (t mod B / (h + 1) < Z.of_nat cuts) by (apply Z.div_lt_upper_bound; lia).
  apply in_map_iff. exists (Z.to_nat (t mod B / (h + 1))).
  split; [rewrite Z2Nat.id by lia; reflexivity|]. apply in_seq. lia.
Qed.

Definition near_pairs (at_ g : Z) : list (Z * Z) := flat_map pairs_of (filter (near at_ g) differences).

(** Whether moves of the cell may be feasible; and what such a move shares at most. *)
Definition may_miss (at_ g : Z) : bool :=
  let pairs := near_pairs at_ g in
  existsb (fun T => negb (existsb (surely T h at_ g) pairs)) starts.

Definition most_shared (at_ g : Z) : Z :=
  let pairs := near_pairs at_ g in
  fold_right (fun T most =>
    if existsb (fun pair => negb (alike pair) && surely T h at_ g pair) pairs then most
    else Z.max (total pairs (fun pair => Z.b2z (possibly T h at_ g pair))) most) 0 starts.

Lemma in_pairs_of d pair : In pair (pairs_of d) -> In (fst pair) line /\ In (snd pair) line.
Proof.
  unfold pairs_of. intros H. apply in_map_iff in H as (r & <- & H). apply filter_In in H as [H Hp].
  apply is_pattern_in in Hp. now split.
Qed.

Lemma in_near_pairs at_ g pair : In pair (near_pairs at_ g) -> In (fst pair) line /\ In (snd pair) line.
Proof. unfold near_pairs. intros H. apply in_flat_map in H as (d & _ & H). now apply in_pairs_of with d. Qed.

Lemma feasible_may_miss at_ g y :
  at_ <= y <= at_ + g -> feasible bits line a y -> may_miss at_ g = true.
Proof.
  intros Hy [t Ht]. unfold may_miss. apply existsb_exists.
  destruct (offset_has_a_start t) as (T & HT & Hin). exists T. split; [assumption|].
  apply negb_true_iff. destruct (existsb _ _) eqn:E; [exfalso|easy].
  apply existsb_exists in E as ([r r'] & Hp & Hs).
  apply in_near_pairs in Hp as [Hr Hr']. cbn [fst snd] in *. apply (Ht r r' Hr Hr').
  apply same_slot_by_place. now apply sure_is_sure with T h at_ g.
Qed.

Lemma sharing_at_most at_ g t y :
  at_ <= y <= at_ + g -> compatible bits line kind a t y -> sharing bits line a t y <= most_shared at_ g.
Proof.
  intros Hy Hc. destruct (offset_has_a_start t) as (T & HT & Hin).
  assert (Hfree : existsb (fun pair => negb (alike pair) && surely T h at_ g pair) (near_pairs at_ g) = false).
  { destruct (existsb _ _) eqn:E; [exfalso|easy].
    apply existsb_exists in E as ([r r'] & Hp & Hs). apply andb_true_iff in Hs as [Hk Hs].
    apply in_near_pairs in Hp as [Hr Hr']. cbn [fst snd] in *.
    apply negb_true_iff, Z.eqb_neq in Hk. cbn [fst snd] in Hk. apply Hk, Hc; auto.
    apply same_slot_by_place. now apply sure_is_sure with T h at_ g. }
  assert (Hs : sharing bits line a t y
               <= total (near_pairs at_ g) (fun pair => Z.b2z (possibly T h at_ g pair))).
  { unfold sharing. etransitivity.
    { apply (by_differences (fun pair => Z.b2z (share bits a t y pair))).
      intros pair. destruct (share bits a t y pair); cbn; lia. }
    unfold near_pairs. rewrite total_flat_map, total_filter. apply total_le. intros d _.
    assert (Hpair : forall pair, In pair (pairs_of d) -> share bits a t y pair = true ->
      near at_ g d = true /\ possibly T h at_ g pair = true).
    { intros [r r'] Hp Hshare. pose proof (in_pairs_of d _ Hp) as [Hr Hr']. cbn [fst snd] in Hr, Hr'.
      unfold share in Hshare. cbn [fst snd] in Hshare. apply Z.eqb_eq in Hshare. split.
      - unfold pairs_of in Hp. apply in_map_iff in Hp as (r0 & [= -> <-] & _).
        replace d with (r + d - r) by lia. now apply shared_is_near with t y.
      - apply same_slot_by_place in Hshare. now apply shared_is_possible with (t mod B) y. }
    destruct (near at_ g d).
    - apply total_le. intros pair Hp. specialize (Hpair pair Hp).
      destruct (share bits a t y pair); [|destruct (possibly T h at_ g pair); cbn; lia].
      now rewrite (proj2 (Hpair eq_refl)).
    - rewrite (total_ext _ _ (fun _ => 0)); [rewrite total_constant; lia|]. intros pair Hp.
      specialize (Hpair pair Hp). destruct (share bits a t y pair); [|easy].
      destruct (Hpair eq_refl). discriminate. }
  etransitivity; [exact Hs|]. unfold most_shared. revert HT. generalize starts as some.
  induction some as [|T' some IH]; cbn [fold_right In]; [easy|]. intros [->|HT].
  - rewrite Hfree. lia.
  - specialize (IH HT). cbv zeta in IH |- *.
    match goal with |- context [if ?b then _ else _] => destruct b end; lia.
Qed.

End Box.

End Overlaps.
