(** * Counting slots, L14 to L16, L18 and L19: lines, moves and what shares a slot

    proofs/rounding-lemma.md, "Counting slots". A pattern of the line is a number r, whose product is r a,
    where a is the step; the file adds a sum of moves. *)

From Coq Require Import ZArith Lia Bool List Permutation.
From Magicert Require Import Words Counting Translates.
Import ListNotations.
Open Scope Z_scope.

(** The class of a set of file squares, nearest first: how many squares there are from its first one on;
    0 if it is empty. *)
Fixpoint class_of (F : list bool) : nat :=
  match F with
  | [] => 0
  | true :: rest => S (length rest)
  | false :: rest => class_of rest
  end.

(** L22: what a square adds is known by m's lowest digits. *)
Theorem L22 n digits m :
  0 <= n -> 0 <= digits -> 64 <= n + digits -> exists i, 2 ^ n * (m mod 2 ^ digits) = 2 ^ n * m + i * 2 ^ 64.
Proof.
  intros Hn Hd H. exists (- (2 ^ (n + digits - 64) * (m / 2 ^ digits))).
  assert (H2 : 2 ^ digits <> 0) by (apply Z.pow_nonzero; lia).
  pose proof (Z.div_mod m (2 ^ digits) H2) as E.
  assert (E2 : 2 ^ n * 2 ^ digits = 2 ^ (n + digits - 64) * 2 ^ 64).
  { rewrite <- !Z.pow_add_r by lia. f_equal. lia. }
  set (z := m / 2 ^ digits) in *. set (low := m mod 2 ^ digits) in *.
  assert (E3 : 2 ^ n * m = 2 ^ n * 2 ^ digits * z + 2 ^ n * low).
  { transitivity (2 ^ n * (2 ^ digits * z + low)); [now rewrite <- E|ring]. }
  rewrite E3, E2. ring.
Qed.

Section Slots.

Variable bits : Z.
Hypothesis few : 0 <= bits <= 64.
Let B := bucket bits.
Let N := 2 ^ bits.

(** D11: with the offset t, slots are t + s B to t + (s + 1) B - 1; they count modulo 2^bits. *)
Definition slot_at (t p : Z) : Z := ((p - t) / B) mod N.

Variables (line : list Z) (kind : Z -> Z).   (* the patterns, and their attacks on the line *)
Variable a : Z.

(** No two occupancies with different attack sets share a slot. *)
Definition works (t : Z) (moves : list Z) : Prop :=
  forall r r' F G, In r line -> In r' line -> is_set_of moves F -> is_set_of moves G ->
    slot_at t (r * a + sum_of F moves) = slot_at t (r' * a + sum_of G moves) ->
    class_of F = class_of G /\ kind r = kind r'.

(** D11: the line and the line moved by y have no slot in common; or only where they are alike. *)
Definition misses (t y : Z) : Prop :=
  forall r r', In r line -> In r' line -> slot_at t (r * a) <> slot_at t (r' * a + y).
Definition feasible (y : Z) : Prop := exists t, misses t y.
Definition compatible (t y : Z) : Prop :=
  forall r r', In r line -> In r' line -> slot_at t (r * a) = slot_at t (r' * a + y) -> kind r = kind r'.

(** The pairs of patterns that share a slot. *)
Definition share (t y : Z) (pair : Z * Z) : bool :=
  slot_at t (fst pair * a) =? slot_at t (snd pair * a + y).
Definition sharing (t y : Z) : Z := total (list_prod line line) (fun pair => Z.b2z (share t y pair)).

Definition takes (t x s : Z) : bool := existsb (fun r => slot_at t (r * a + x) =? s) line.
Definition all_slots : list Z := map Z.of_nat (seq 0 (Z.to_nat N)).

(** ** Offsets *)

Lemma offset_moved t x p : slot_at t (p + x) = slot_at (t - x) p.
Proof. unfold slot_at. do 2 f_equal. lia. Qed.

Lemma slot_is_a_slot t p : In (slot_at t p) all_slots.
Proof.
  unfold slot_at, all_slots. assert (0 < N) by (apply Z.pow_pos_nonneg; lia).
  pose proof (Z.mod_pos_bound ((p - t) / B) N ltac:(lia)).
  apply in_map_iff. exists (Z.to_nat (((p - t) / B) mod N)). split; [lia|]. apply in_seq. lia.
Qed.

Lemma how_many_slots : Z.of_nat (length all_slots) = N.
Proof.
  unfold all_slots. rewrite map_length, seq_length. assert (0 < N) by (apply Z.pow_pos_nonneg; lia). lia.
Qed.

Lemma slots_once : NoDup all_slots.
Proof.
  unfold all_slots. apply FinFun.Injective_map_NoDup; [|apply seq_NoDup]. intros x y. lia.
Qed.

(** L14 (a): the products of -m are the -p, and two of them share a slot if and only if p and p' do,
    where slots begin one later. *)
Theorem L14a p p' : slot_at 0 (- p) = slot_at 0 (- p') <-> slot_at 1 p = slot_at 1 p'.
Proof.
  unfold slot_at. pose proof (bucket_positive bits few) as HB. fold B in HB.
  assert (HN : 0 < N) by (apply Z.pow_pos_nonneg; lia).
  assert (E : forall q, (- q - 0) / B = - ((q - 1) / B) - 1).
  { intros q. pose proof (Z.div_mod (q - 1) B ltac:(lia)). pose proof (Z.mod_pos_bound (q - 1) B HB).
    symmetry. apply Z.div_unique with (r := B - 1 - (q - 1) mod B); lia. }
  rewrite !E. set (s := (p - 1) / B). set (s' := (p' - 1) / B).
  assert (H : forall u v, u mod N = v mod N <-> exists k, u = v + k * N).
  { intros u v. split.
    - intros Huv. exists (u / N - v / N). pose proof (Z.div_mod u N ltac:(lia)).
      pose proof (Z.div_mod v N ltac:(lia)). lia.
    - intros [k ->]. now rewrite Z.mod_add by lia. }
  rewrite !H. split; intros [k Hk]; exists (- k); lia.
Qed.

(** Where a slot must be sure: if p - 1 and p + more are in one slot, all from p to p + more are, whether slots
    begin there or one later. *)
Lemma sure_at_both_offsets p more e :
  0 <= e <= more -> (p - 1) / B = (p + more) / B ->
  slot_at 0 (p + e) = slot_at 0 p /\ slot_at 1 (p + e) = slot_at 1 p.
Proof.
  intros He H. pose proof (bucket_positive bits few) as HB. fold B in HB. unfold slot_at.
  assert (Hq : forall q, p - 1 <= q <= p + more -> q / B = (p - 1) / B).
  { intros q Hq. apply Z.le_antisymm; [rewrite H|]; apply Z.div_le_mono; lia. }
  split; f_equal; (transitivity ((p - 1) / B); [|symmetry]); apply Hq; lia.
Qed.

(** L14 (b): the step of m or that of -m is in the upper half of its slot, both if it is a half exactly. *)
Theorem L14b (step : Z) :
  step mod B <> 0 ->
  ((- step) mod B = B - step mod B) /\ (B <= 2 * (step mod B) \/ B <= 2 * ((- step) mod B)).
Proof.
  intros H. pose proof (bucket_positive bits few) as HB. fold B in HB.
  pose proof (Z.mod_pos_bound step B HB). rewrite Z.mod_opp_l_nz by lia. lia.
Qed.

(** L14 (c): if the step is a whole number of slots, the file's farthest square moves nothing. *)
Theorem L14c lowest n m j :
  0 <= lowest -> lowest + bits <= n -> 2 ^ lowest * m = j * B -> exists i, 2 ^ n * m = i * 2 ^ 64.
Proof.
  intros Hl Hn E. exists (2 ^ (n - lowest - bits) * j).
  assert (En : 2 ^ n = 2 ^ (n - lowest - bits) * 2 ^ bits * 2 ^ lowest).
  { rewrite <- !Z.pow_add_r by lia. f_equal. lia. }
  rewrite En, (buckets_fill_the_words bits few). fold B.
  transitivity (2 ^ (n - lowest - bits) * 2 ^ bits * (2 ^ lowest * m)); [ring|]. rewrite E. ring.
Qed.

Lemma only_the_farthest before f v :
  sum_of (repeat false (length before) ++ [f]) (before ++ [v]) = if f : bool then v else 0.
Proof. induction before as [|w before IH]; cbn in *; [lia|]. now rewrite IH. Qed.

(** Then no m is a magic: that square by itself has the slot of the empty board, at any offset. *)
Theorem whole_slots_are_no_magics t before v i :
  In 0 line -> v = i * 2 ^ 64 -> ~ works t (before ++ [v]).
Proof.
  intros H0 Hv Hw.
  assert (Hl : forall f, is_set_of (before ++ [v]) (repeat false (length before) ++ [f])).
  { intros f. unfold is_set_of. now rewrite !app_length, repeat_length. }
  destruct (Hw 0 0 _ _ H0 H0 (Hl true) (Hl false)) as [E _].
  - rewrite !only_the_farthest, Hv. unfold slot_at. rewrite (buckets_fill_the_words bits few). fold B N.
    pose proof (bucket_positive bits few) as HB. fold B in HB.
    assert (HN : 0 < N) by (apply Z.pow_pos_nonneg; lia).
    replace (0 * a + i * (N * B) - t) with (0 * a + 0 - t + i * N * B) by ring.
    rewrite Z.div_add by lia. now rewrite Z.mod_add by lia.
  - clear - E. induction before as [|w before IH]; cbn in E; [discriminate|auto].
Qed.

(** D11: if y is feasible, its opposite is. *)
Lemma opposites_are_feasible y : feasible y -> feasible (- y).
Proof.
  intros [t Ht]. exists (t - y). intros r r' Hr Hr' E. apply (Ht r' r Hr' Hr).
  rewrite (offset_moved t y), E. unfold slot_at. do 2 f_equal. lia.
Qed.

(** ** L15: all differences are feasible *)

Fixpoint without (F G : list bool) : list bool :=
  match F, G with
  | f :: F, g :: G => f && negb g :: without F G
  | _, _ => []
  end.

Lemma class_at_most F : (class_of F <= length F)%nat.
Proof. induction F as [|[] F]; cbn; lia. Qed.

Lemma without_length F : forall G, length F = length G -> length (without F G) = length F.
Proof. induction F as [|f F IH]; intros [|g G] E; cbn in *; try easy. f_equal. apply IH. congruence. Qed.

Lemma classes_differ F : forall G,
  length F = length G -> F <> G -> class_of (without F G) <> class_of (without G F).
Proof.
  induction F as [|f F IH]; intros [|g G] E N0; cbn in E; try easy. injection E as E.
  pose proof (class_at_most (without F G)). pose proof (class_at_most (without G F)).
  rewrite without_length in * by congruence.
  cbn [without]. destruct f, g; cbn [andb negb class_of];
    rewrite ?without_length by congruence; try lia; apply IH; congruence.
Qed.

Lemma difference_without F : forall G moves,
  is_set_of moves F -> is_set_of moves G ->
  sum_of (without G F) moves - sum_of (without F G) moves = sum_of G moves - sum_of F moves.
Proof.
  unfold is_set_of. induction F as [|f F IH]; intros [|g G] [|v moves] E E'; cbn in E, E'; try easy.
  injection E as E. injection E' as E'. cbn [without sum_of]. specialize (IH G moves E E').
  destruct f, g; cbn [andb negb]; lia.
Qed.

Theorem L15 t moves F G :
  works t moves -> is_set_of moves F -> is_set_of moves G -> F <> G ->
  feasible (sum_of G moves - sum_of F moves).
Proof.
  intros Hw HF HG HN. exists (t - sum_of (without F G) moves). intros r r' Hr Hr' E.
  rewrite <- (difference_without F G moves HF HG) in E.
  set (x := sum_of (without F G) moves) in *. set (x' := sum_of (without G F) moves) in *.
  assert (E2 : slot_at t (r * a + x) = slot_at t (r' * a + x')).
  { rewrite (offset_moved t x), E. unfold slot_at. do 2 f_equal. lia. }
  unfold is_set_of in *. apply Hw in E2 as [E2 _]; auto.
  - revert E2. apply classes_differ; congruence.
  - unfold is_set_of. rewrite without_length; congruence.
  - unfold is_set_of. rewrite without_length; congruence.
Qed.

(** L15 on other ranks: a class is one of the squares above and one of those below. *)
Definition works_both_ways (t : Z) (up down : list Z) : Prop :=
  forall r r' F G F' G', In r line -> In r' line ->
    is_set_of up F -> is_set_of down G -> is_set_of up F' -> is_set_of down G' ->
    slot_at t (r * a + (sum_of F up + sum_of G down)) = slot_at t (r' * a + (sum_of F' up + sum_of G' down)) ->
    class_of F = class_of F' /\ class_of G = class_of G' /\ kind r = kind r'.

Lemma set_without moves F G : is_set_of moves F -> is_set_of moves G -> is_set_of moves (without F G).
Proof. unfold is_set_of. intros HF HG. rewrite without_length; congruence. Qed.

Theorem L15_both_ways t up down F G F' G' :
  works_both_ways t up down ->
  is_set_of up F -> is_set_of down G -> is_set_of up F' -> is_set_of down G' -> (F, G) <> (F', G') ->
  feasible (sum_of F' up + sum_of G' down - (sum_of F up + sum_of G down)).
Proof.
  intros Hw HF HG HF' HG' HN.
  exists (t - (sum_of (without F F') up + sum_of (without G G') down)). intros r r' Hr Hr' E.
  replace (sum_of F' up + sum_of G' down - (sum_of F up + sum_of G down))
    with (sum_of F' up - sum_of F up + (sum_of G' down - sum_of G down)) in E by ring.
  rewrite <- (difference_without F F' up HF HF'), <- (difference_without G G' down HG HG') in E.
  assert (E2 : slot_at t (r * a + (sum_of (without F F') up + sum_of (without G G') down))
               = slot_at t (r' * a + (sum_of (without F' F) up + sum_of (without G' G) down))).
  { rewrite (offset_moved t), E. unfold slot_at. do 2 f_equal. lia. }
  apply Hw in E2 as (E2 & E3 & _); auto using set_without. unfold is_set_of in *.
  destruct (list_eq_dec Bool.bool_dec F F') as [->|HF2].
  - destruct (list_eq_dec Bool.bool_dec G G') as [->|HG2]; [now apply HN|].
    revert E3. apply classes_differ; congruence.
  - revert E2. apply classes_differ; congruence.
Qed.

(** ** What two translates share *)

(** The common slots of the line and the line moved by y. *)
Definition common_slots (t y : Z) : Z := common Z Z all_slots (takes t) 0 y.

Lemma takes_moved t x y s : takes t (x + y) s = takes (t - x) y s.
Proof.
  unfold takes. generalize line as some. induction some as [|r some IH]; cbn [existsb]; [easy|].
  rewrite IH. f_equal. f_equal. rewrite <- offset_moved. f_equal. lia.
Qed.

Lemma common_moved t x x' : common Z Z all_slots (takes t) x x' = common_slots (t - x) (x' - x).
Proof.
  unfold common_slots, common. apply total_ext. intros s _. rewrite <- !takes_moved.
  do 3 f_equal; lia.
Qed.

(** The line has no more slots than patterns. *)
Lemma common_at_most_patterns t y : common_slots t y <= Z.of_nat (length line).
Proof.
  unfold common_slots, common. rewrite total_of_bools.
  rewrite <- (map_length (fun r => slot_at t (r * a + 0)) line). apply Nat2Z.inj_le, NoDup_incl_length.
  - apply NoDup_filter, slots_once.
  - intros s Hs. apply filter_In in Hs as [_ Hs]. apply andb_true_iff in Hs as [H _].
    unfold takes in H. apply existsb_exists in H as (r & Hr & H). apply Z.eqb_eq in H.
    apply in_map_iff. now exists r.
Qed.

Lemma common_at_most t y : common_slots t y <= sharing t y.
Proof.
  unfold common_slots, common, sharing. rewrite !total_of_bools.
  set (both := filter (fun s => takes t 0 s && takes t y s) all_slots).
  set (pairs := filter (share t y) (list_prod line line)).
  assert (H : (length both <= length (map (fun pair => slot_at t (fst pair * a + 0)) pairs))%nat);
    [|rewrite map_length in H; lia].
  apply NoDup_incl_length; [apply NoDup_filter, slots_once|].
  intros s Hs. apply filter_In in Hs as [_ Hs]. apply andb_true_iff in Hs as [H H'].
  unfold takes in *. apply existsb_exists in H as (r & Hr & H). apply existsb_exists in H' as (r' & Hr' & H').
  apply Z.eqb_eq in H, H'. apply in_map_iff. exists (r, r'). split; [exact H|].
  apply filter_In. split; [now apply in_prod|]. unfold share. cbn [fst snd]. apply Z.eqb_eq.
  rewrite Z.add_0_r in H. congruence.
Qed.

(** ** L19 (b), and what [points] counts: patterns of which no two that are alike can share a slot *)

Definition apart (some : list Z) : Prop :=
  incl some line /\
  ForallOrdPairs (fun r r' => kind r = kind r' -> forall t, slot_at t (r * a) <> slot_at t (r' * a)) some.

Theorem L19 t some x :
  apart some -> compatible (t - x) 0 ->
  Z.of_nat (length some) <= size Z Z all_slots (takes t) x.
Proof.
  intros [Hin Hpairs] Hc. unfold size. rewrite total_of_bools.
  rewrite <- (map_length (fun r => slot_at t (r * a + x))). apply Nat2Z.inj_le, NoDup_incl_length.
  - induction Hpairs as [|r some Hr Hpairs IH]; cbn [map]; constructor; [|apply IH; intros r' H; apply Hin; now right].
    intros H. apply in_map_iff in H as (r' & E & Hr'). rewrite Forall_forall in Hr.
    rewrite !(offset_moved t x) in E. apply (Hr r' Hr') with (t := t - x); [|congruence].
    apply Hc; [apply Hin; now left|apply Hin; now right|]. rewrite Z.add_0_r. congruence.
  - intros s Hs. apply in_map_iff in Hs as (r & <- & Hr). apply filter_In.
    split; [apply slot_is_a_slot|]. unfold takes. apply existsb_exists. exists r.
    split; [now apply Hin|apply Z.eqb_refl].
Qed.

(** ** All together *)

Section Together.

Variables (t : Z) (moves : list Z).
Hypothesis it_works : works t moves.

Lemma compatible_with_itself F : is_set_of moves F -> compatible (t - sum_of F moves) 0.
Proof.
  intros HF r r' Hr Hr' E. rewrite Z.add_0_r, <- !offset_moved in E. now apply it_works in E.
Qed.

Lemma compatible_in_a_class F G :
  is_set_of moves F -> is_set_of moves G ->
  compatible (t - sum_of F moves) (sum_of G moves - sum_of F moves).
Proof.
  intros HF HG r r' Hr Hr' E. rewrite <- offset_moved in E.
  assert (E2 : slot_at t (r * a + sum_of F moves) = slot_at t (r' * a + sum_of G moves)).
  { rewrite E. unfold slot_at. do 2 f_equal. lia. }
  now apply it_works in E2.
Qed.

Lemma nothing_before F before rest :
  is_set_of rest F ->
  is_set_of (before ++ rest) (repeat false (length before) ++ F) /\
  sum_of (repeat false (length before) ++ F) (before ++ rest) = sum_of F rest /\
  class_of (repeat false (length before) ++ F) = class_of F.
Proof.
  unfold is_set_of. intros E. induction before as [|v before (H1 & H2 & H3)]; cbn; [auto|].
  repeat split; [congruence|lia|auto].
Qed.

(** What L16, L18 and L19 say: the moves that may be feasible, what these share at most, and the slots that
    the line takes at least. *)
Variables (phi : Z -> Z) (may : Z -> bool) (L : Z).
Hypothesis phi_bounds : forall t y, compatible t y -> feasible y -> common_slots t y <= phi y.
Hypothesis may_is_asked : forall y, feasible y -> may y = true.
Hypothesis L_is_taken : forall t x, compatible (t - x) 0 -> L <= size Z Z all_slots (takes t) x.
Hypothesis L_nonnegative : 0 <= L.

Lemma size_of_a_translate F : is_set_of moves F -> L <= size Z Z all_slots (takes t) (sum_of F moves).
Proof. intros HF. apply L_is_taken. now apply compatible_with_itself. Qed.

Lemma classes_are_understood before v rest :
  moves = before ++ v :: rest -> understood all_slots (takes t) phi L v rest.
Proof.
  intros E. unfold understood, is_set_of. split.
  - intros F HF. destruct (nothing_before (true :: F) before (v :: rest)) as (H1 & H2 & _).
    { unfold is_set_of. cbn. congruence. }
    rewrite <- E in H1, H2. cbn [sum_of] in H2. rewrite <- H2. now apply size_of_a_translate.
  - intros F G HF HG HN. rewrite common_moved.
    destruct (nothing_before (true :: F) before (v :: rest)) as (H1 & H2 & _).
    { unfold is_set_of. cbn. congruence. }
    destruct (nothing_before (true :: G) before (v :: rest)) as (H3 & H4 & _).
    { unfold is_set_of. cbn. congruence. }
    rewrite <- E in *. cbn [sum_of] in H2, H4.
    replace (sum_of G rest - sum_of F rest) with (v + sum_of G rest - (v + sum_of F rest)) by lia.
    rewrite <- H2, <- H4. apply phi_bounds; [now apply compatible_in_a_class|].
    apply (L15 t); auto. intros Heq. apply app_inv_head in Heq. congruence.
Qed.

Lemma classes_share_no_slot before v rest x x' s :
  moves = before ++ v :: rest -> In x (sums rest) -> In x' (sums rest) ->
  takes t x s = true -> takes t (v + x') s = true -> False.
Proof.
  intros E Hx Hx' H H'. apply in_sums in Hx as (F & HF & ->). apply in_sums in Hx' as (G & HG & ->).
  unfold takes in *. apply existsb_exists in H as (r & Hr & H). apply existsb_exists in H' as (r' & Hr' & H').
  apply Z.eqb_eq in H, H'. unfold is_set_of in *.
  destruct (nothing_before (false :: F) before (v :: rest)) as (H1 & H2 & H3).
  { unfold is_set_of. cbn. congruence. }
  destruct (nothing_before (true :: G) before (v :: rest)) as (H4 & H5 & H6).
  { unfold is_set_of. cbn. congruence. }
  rewrite <- E in *. cbn [sum_of class_of] in *. rewrite Z.add_0_l in H2.
  rewrite <- H2 in H. rewrite <- H5 in H'.
  destruct (it_works r r' _ _ Hr Hr' H1 H4) as [Hc _]; [congruence|].
  rewrite H3, H6 in Hc. pose proof (class_at_most F). lia.
Qed.

(** A difference of moves not known yet is one that may be. *)
Lemma moves_are_admissible before v rest : moves = before ++ v :: rest -> admissible may rest v.
Proof.
  intros E x x' Hx Hx'. apply in_sums in Hx as (F & HF & ->). apply in_sums in Hx' as (G & HG & ->).
  destruct (nothing_before (false :: F) before (v :: rest)) as (H1 & H2 & _).
  { unfold is_set_of in *. cbn. congruence. }
  destruct (nothing_before (true :: G) before (v :: rest)) as (H4 & H5 & _).
  { unfold is_set_of in *. cbn. congruence. }
  rewrite <- E in *. cbn [sum_of] in *. rewrite Z.add_0_l in H2.
  rewrite <- H2, <- H5. apply may_is_asked, (L15 t); auto.
  intros Heq. apply app_inv_head in Heq. discriminate.
Qed.

Variable least_slots : Z -> Z -> Z.
Hypothesis least_slots_are_taken : forall l n shares,
  0 <= n -> n * L <= points Z Z all_slots (takes t) l -> excess Z Z all_slots (takes t) l <= shares ->
  least_slots n shares <= used Z Z all_slots (takes t) l.

Theorem classes_have_room gains : bounds phi gains moves -> all_take L least_slots gains <= N.
Proof.
  intros Hb. rewrite <- how_many_slots. etransitivity;
    [|apply (used_at_most Z Z all_slots (takes t) (sums moves))].
  apply L21 with (phi := phi); auto.
  - destruct (nothing_before (repeat false (length moves)) [] moves) as (H1 & _ & _).
    { unfold is_set_of. apply repeat_length. }
    assert (E : sum_of (repeat false (length moves)) moves = 0).
    { generalize moves as l. induction l as [|v l IH]; cbn; [easy|]. now rewrite IH. }
    cbn [app length repeat] in H1. apply size_of_a_translate in H1. now rewrite E in H1.
  - intros. now apply classes_are_understood with before.
  - intros. now apply classes_share_no_slot with before v rest x x' s.
Qed.

(** Of some squares nothing is known: for them the largest overlap that any move has. *)
Fixpoint unknown_gains (unknown : nat) (M : Z) (known : list Z) : list Z :=
  match unknown with
  | O => known
  | S fewer => M * 4 ^ Z.of_nat fewer :: unknown_gains fewer M known
  end.

Lemma unknown_bounds unknown : forall before known gains M,
  moves = before ++ unknown ++ known -> bounds phi gains known ->
  (forall y, admissible may known y -> overlap phi known y <= M) ->
  bounds phi (unknown_gains (length unknown) M gains) (unknown ++ known) /\
  (forall y, admissible may (unknown ++ known) y ->
     overlap phi (unknown ++ known) y <= M * 4 ^ Z.of_nat (length unknown)).
Proof.
  induction unknown as [|v unknown IH]; intros before known gains M E Hb HM; cbn [app length unknown_gains].
  - split; [assumption|]. intros y Hy. rewrite Z.mul_1_r. auto.
  - destruct (IH (before ++ [v]) known gains M) as [H1 H2]; auto.
    { rewrite E, <- app_assoc. reflexivity. }
    split.
    + cbn [bounds]. split; [|assumption]. apply H2. now apply (moves_are_admissible before).
    + intros y Hy. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
      replace (M * (4 * 4 ^ Z.of_nat (length unknown))) with (4 * (M * 4 ^ Z.of_nat (length unknown))) by ring.
      now apply overlap_of_one_more with may.
Qed.

(** So a node that has no room holds no magic. *)
Theorem nodes_have_room unknown known gains M :
  moves = unknown ++ known -> bounds phi gains known ->
  (forall y, admissible may known y -> overlap phi known y <= M) ->
  all_take L least_slots (unknown_gains (length unknown) M gains) <= N.
Proof.
  intros E Hb HM. apply classes_have_room. rewrite E. now apply (unknown_bounds unknown [] known).
Qed.

End Together.

End Slots.
