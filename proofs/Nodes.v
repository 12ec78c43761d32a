(** * Counting slots, L16 to L18: what holds for a whole node, and a cell of moves

    proofs/rounding-lemma.md, "Counting slots". The step a is somewhere from [begin] to begin + w, the move y
    from [at_] to at_ + g. What is computed here is computed from these alone: gaps, spans, and how often the
    line lies on itself. *)

From Coq Require Import ZArith Lia Bool List Permutation.
From Magicert Require Import Words Counting Translates Slots Overlaps.
Import ListNotations.
Open Scope Z_scope.

(** ** Numbers in order *)

Fixpoint insert (n : Z) (l : list Z) : list Z :=
  match l with
  | [] => [n]
  | m :: rest => if m <=? n then m :: insert n rest else n :: l
  end.

Definition in_order (l : list Z) : list Z := fold_right insert [] l.

Fixpoint rising (l : list Z) : Prop :=
  match l with [] => True | m :: rest => (forall n, In n rest -> m <= n) /\ rising rest end.

Lemma in_insert n l k : In k (insert n l) <-> k = n \/ In k l.
Proof.
  induction l as [|m l IH]; cbn [insert In]; [intuition|].
  destruct (m <=? n); cbn [In]; [rewrite IH|]; intuition.
Qed.

Lemma insert_rises n l : rising l -> rising (insert n l).
Proof.
  induction l as [|m l IH]; cbn [insert rising]; [easy|]. intros [H1 H2].
  destruct (Z.leb_spec m n); cbn [rising In]; (split; [|intuition]).
  - intros k Hk. apply in_insert in Hk as [->|Hk]; [lia|auto].
  - intros k [<-|Hk]; [lia|]. specialize (H1 k Hk). lia.
Qed.

Lemma in_order_rises l : rising (in_order l).
Proof. induction l; cbn; [easy|now apply insert_rises]. Qed.

Lemma insert_counts p n l : length (filter p (insert n l)) = length (filter p (n :: l)).
Proof.
  induction l as [|m l IH]; cbn [insert]; [easy|]. destruct (m <=? n); [|easy].
  cbn [filter] in *. destruct (p m), (p n); cbn [length] in *; lia.
Qed.

Lemma in_order_counts p l : length (filter p (in_order l)) = length (filter p l).
Proof.
  induction l as [|n l IH]; cbn [in_order fold_right]; [easy|].
  change (fold_right insert [] l) with (in_order l). rewrite insert_counts. cbn [filter].
  destruct (p n); cbn [length]; now rewrite IH.
Qed.

(** If c of these are at most so large, the c-th of them in order is. *)
Lemma nth_at_most (most other : Z) (c : nat) : forall l,
  rising l -> (1 <= c <= length (filter (fun n => (n <=? most)%Z) l))%nat -> nth (c - 1) l other <= most.
Proof.
  induction c as [|c IH]; intros [|m l] Hl Hc; cbn [filter length] in Hc; try lia.
  destruct Hl as [H1 H2]. destruct (Z.leb_spec m most) as [Hm|Hm].
  - cbn [length] in Hc. destruct c as [|c]; [cbn; lia|].
    replace (S (S c) - 1)%nat with (S c) by lia. cbn [nth].
    specialize (IH l H2 ltac:(lia)). now replace (S c - 1)%nat with c in IH by lia.
  - assert (E : filter (fun n => n <=? most) l = []); [|rewrite E in Hc; cbn in Hc; lia].
    clear - H1 Hm. induction l as [|k l IH]; [easy|]. cbn [filter]. destruct (Z.leb_spec k most) as [H|H].
    + specialize (H1 k ltac:(now left)). lia.
    + apply IH. intros n Hn. apply H1. now right.
Qed.

Lemma c_of_them_are_so_small (f : Z -> Z) all some most other :
  some <> [] -> NoDup some -> (forall j, In j some -> In j all /\ f j <= most) ->
  nth (length some - 1) (in_order (map f all)) other <= most.
Proof.
  intros Hne Hd Hsome. apply nth_at_most; [apply in_order_rises|]. rewrite in_order_counts. split.
  { destruct some; [easy|cbn; lia]. }
  assert (E : length (filter (fun n => n <=? most) (map f all)) = length (filter (fun j => f j <=? most) all)).
  { induction all as [|j l IH] in |- *; cbn [map filter]; [easy|]. destruct (f j <=? most); cbn [length]; now rewrite IH. }
  rewrite E. apply NoDup_incl_length; [assumption|]. intros j Hj. apply filter_In.
  destruct (Hsome j Hj). split; [assumption|now apply Z.leb_le].
Qed.

Lemma first_by (f : Z -> Z) l : l <> [] -> exists i, In i l /\ forall j, In j l -> f i <= f j.
Proof.
  induction l as [|a [|b l] IH]; intros H; [easy| |].
  - exists a. split; [now left|]. intros j [<-|[]]. lia.
  - destruct IH as (i & Hi & Hall); [easy|]. destruct (Z.le_gt_cases (f a) (f i)) as [Hai|Hai].
    + exists a. split; [now left|]. intros j [<-|Hj]; [lia|]. specialize (Hall j Hj). lia.
    + exists i. split; [now right|]. intros j [<-|Hj]; [lia|auto].
Qed.

Lemma at_most_largest x l n : In n l -> n <= fold_right Z.max x l.
Proof. induction l as [|m l IH]; cbn [In fold_right]; [easy|]. intros [->|H]; [|specialize (IH H)]; lia. Qed.

Lemma at_least_smallest x l n : In n l -> fold_right Z.min x l <= n.
Proof. induction l as [|m l IH]; cbn [In fold_right]; [easy|]. intros [->|H]; [|specialize (IH H)]; lia. Qed.

Lemma at_most_largest_nat l n : In n l -> (n <= fold_right Nat.max 0 l)%nat.
Proof. induction l as [|m l IH]; cbn [In fold_right]; [easy|]. intros [->|H]; [|specialize (IH H)]; lia. Qed.

(** ** Numbers near to 0, on the circle of all words *)

Definition signed (z : Z) : Z := (z + 2 ^ 63) mod 2 ^ 64 - 2 ^ 63.

(** How near to 0 the numbers from [low] to [high] come, and how far from it. *)
Definition nearest (low high : Z) : Z :=
  if (low <=? 0) && (0 <=? high) then 0 else Z.min (Z.abs low) (Z.abs high).
Definition farthest (low high : Z) : Z := Z.max (Z.abs low) (Z.abs high).

Lemma nearest_is_near low high n : low <= n <= high -> nearest low high <= Z.abs n.
Proof.
  intros H. unfold nearest. destruct (Z.leb_spec low 0), (Z.leb_spec 0 high); cbn [andb]; lia.
Qed.

Section Node.

Variable bits : Z.
Hypothesis some_bits : 1 <= bits <= 64.
Let few : 0 <= bits <= 64. Proof. lia. Qed.
Let B := bucket bits.
Let HB : 0 < B := bucket_positive bits few.

Variables (line : list Z) (kind : Z -> Z).
Hypothesis once : NoDup line.
Variable differences : list Z.
Hypothesis all_differences : forall r r', In r line -> In r' line -> In (r' - r) differences.

Variables begin w : Z.

(** D12: the patterns of R_d, and which of them are good. *)
Definition members (d : Z) : list Z := filter (fun r => is_pattern line (r + d)) line.
Definition good (d r : Z) : bool := kind r =? kind (r + d).

Lemma in_members d r : In r (members d) <-> In r line /\ In (r + d) line.
Proof. unfold members. now rewrite filter_In, is_pattern_in. Qed.

(** ** What the program computes *)

(** L17. The patterns of R_d in an [order]: count.c takes that of their places in a slot, where a is [begin]. *)
Variable order : Z -> list Z.
Hypothesis order_is_full : forall d r, In r (order d) <-> In r (members d).

Definition link_length (link : (Z * Z) * (Z * Z)) : Z :=
  fst (snd link) - fst (fst link) + Z.max 0 (snd (snd link) - snd (fst link)) * w.

Definition gap (d : Z) : Z :=
  match map (fun r => ((r * begin) mod B, r)) (order d) with
  | [] => B
  | (x0, r0) :: rest =>
      Z.min B (fold_right Z.max 0 (map link_length (links (x0, r0) (rest ++ [(x0 + B, r0)]))))
  end.

(** L18. How far j is behind i where a is [begin]; and between what it is, at any step of the node. *)
Definition away (i j : Z) : Z := (j * begin - i * begin) mod B.
Definition least_away (i j : Z) : Z := away i j + Z.min 0 ((j - i) * w).
Definition most_away (i j : Z) : Z := away i j + Z.max 0 ((j - i) * w).

(** The least distance of j from i; 0 if j may come round. *)
Definition least (i j : Z) : Z := if B <=? most_away i j then 0 else Z.max 0 (least_away i j).

(** Whether s is behind i and before j for all steps. *)
Definition stops (i j s : Z) : bool :=
  (0 <? least_away i s) && (0 <? least_away s j) && (away i s + away s j =? away i j) && (most_away i j <? B).

Definition may_be_left_out (d i j : Z) : bool :=
  existsb (fun s => negb (good d s) && stops i j s) (members d) || (gap d <? least i j).

(** The program looks for one such s only, and need not leave out all that may be. *)
Variable left_out : Z -> Z -> Z -> bool.
Hypothesis left_out_if : forall d i j, left_out d i j = true -> may_be_left_out d i j = true.

Definition kept (d i : Z) : list Z := filter (fun j => good d j && negb (left_out d i j)) (members d).
Definition goods (d : Z) : list Z := filter (good d) (members d).

(** The smallest c-th least distance, 4 B if there is none. *)
Definition span (d : Z) (c : nat) : Z :=
  fold_right Z.min (4 * B)
    (map (fun i => nth (c - 1) (in_order (map (least i) (kept d i))) (4 * B)) (goods d)).

Definition largest_c (d arc : Z) : nat :=
  fold_right Nat.max 0%nat (filter (fun c => span d c <=? arc) (seq 1 (length (goods d)))).

(** y + d a is between these, on the circle of all words. *)
Definition low (d at_ : Z) : Z := signed (at_ + d * begin) + Z.min 0 (d * w).
Definition high (d at_ g : Z) : Z := signed (at_ + d * begin) + g + Z.max 0 (d * w).

(** No move of the cell is feasible, by the difference d. *)
Definition closed (at_ g d : Z) : bool :=
  let near := nearest (low d at_) (high d at_ g) in
  let far := farthest (low d at_) (high d at_ g) in
  (near <? B) && (gap d <? B - far).

(** What d counts for. *)
Definition given (at_ g d : Z) : Z :=
  let near := nearest (low d at_) (high d at_ g) in
  if near <? B then Z.of_nat (largest_c d (Z.min (B - near) (gap d))) else 0.

Definition cell_may (at_ g : Z) : bool := negb (existsb (closed at_ g) differences).
Definition cell_shares (at_ g : Z) : Z := Z.min (Z.of_nat (length line)) (total differences (given at_ g)).

(** ** That it is right *)

Variable a : Z.
Hypothesis step : begin <= a <= begin + w.

Notation feasible := (feasible bits line a).
Notation compatible := (compatible bits line kind a).

Lemma a_step_further r : Z.min 0 (r * w) <= r * (a - begin) <= Z.max 0 (r * w).
Proof. destruct (Z.le_gt_cases 0 r); nia. Qed.

(** How far j is behind i, at the step a. *)
Lemma away_at_a i j : (j * a - i * a) mod B = (away i j + (j - i) * (a - begin)) mod B.
Proof.
  unfold away. rewrite Z.add_mod_idemp_l by lia. f_equal. ring.
Qed.

Lemma least_is_least i j : least i j <= (j * a - i * a) mod B.
Proof.
  rewrite away_at_a. pose proof (a_step_further (j - i)). unfold least, least_away, most_away in *.
  set (v := away i j + (j - i) * (a - begin)) in *. pose proof (Z.mod_pos_bound v B HB).
  destruct (Z.leb_spec B (away i j + Z.max 0 ((j - i) * w))); [lia|].
  destruct (Z.le_gt_cases 0 v); [|lia]. rewrite Z.mod_small; lia.
Qed.

Lemma stop_is_between i j s :
  stops i j s = true ->
  0 < (s * a - i * a) mod B < (j * a - i * a) mod B.
Proof.
  unfold stops, least_away, most_away. rewrite !andb_true_iff, !Z.ltb_lt, Z.eqb_eq.
  intros [[[H1 H2] H3] H4]. rewrite !away_at_a.
  pose proof (a_step_further (s - i)). pose proof (a_step_further (j - s)). pose proof (a_step_further (j - i)).
  set (p := away i s + (s - i) * (a - begin)) in *. set (q := away s j + (j - s) * (a - begin)) in *.
  assert (E : away i j + (j - i) * (a - begin) = p + q) by (unfold p, q; rewrite <- H3; ring).
  rewrite E in *. rewrite !Z.mod_small; lia.
Qed.

(** On an arc, from who comes first. *)
Lemma on_the_arc start i j :
  (i * a - start) mod B <= (j * a - start) mod B ->
  (j * a - i * a) mod B = (j * a - start) mod B - (i * a - start) mod B.
Proof.
  intros H. pose proof (Z.mod_pos_bound (i * a - start) B HB). pose proof (Z.mod_pos_bound (j * a - start) B HB).
  replace (j * a - i * a) with (j * a - start - (i * a - start)) by ring.
  rewrite Zminus_mod. apply Z.mod_small. lia.
Qed.

Lemma behind_on_the_arc start i j :
  (i * a - start) mod B + (j * a - i * a) mod B < B ->
  (j * a - start) mod B = (i * a - start) mod B + (j * a - i * a) mod B.
Proof.
  intros H. replace (j * a - start) with (i * a - start + (j * a - i * a)) by ring.
  pose proof (Z.mod_pos_bound (i * a - start) B HB). pose proof (Z.mod_pos_bound (j * a - i * a) B HB).
  rewrite Z.add_mod by lia. apply Z.mod_small. lia.
Qed.

(** L17: an arc that no pattern of R_d is on is shorter than the gap. *)
Lemma free_arc_is_short d start long :
  members d <> [] -> long <= B ->
  (forall r, In r line -> In (r + d) line -> ~ on_arc bits start long (r * a)) -> long < gap d.
Proof.
  intros Hne Hl Hf. unfold gap. destruct (map _ (order d)) as [|[x0 r0] rest] eqn:E.
  { destruct (members d) as [|r some] eqn:Em; [easy|]. apply map_eq_nil in E.
    assert (H : In r (order d)) by (apply order_is_full; rewrite Em; now left). now rewrite E in H. }
  assert (Hp : forall point, In point ((x0, r0) :: rest) ->
    In (snd point) (members d) /\ fst point = (snd point * begin) mod B).
  { intros point H. rewrite <- E in H. apply in_map_iff in H as (r & <- & H). cbn [fst snd].
    split; [now apply order_is_full|easy]. }
  destruct (L17 bits few begin w a start long x0 r0 rest step) as (link & Hlink & Hlong).
  - intros point H. destruct (Hp point H) as [_ ->]. exists (- (snd point * begin / B)).
    pose proof (Z.div_mod (snd point * begin) B ltac:(lia)). fold B. lia.
  - intros point H. destruct (Hp point H) as [Hm _]. apply in_members in Hm as [H1 H2]. now apply Hf.
  - fold B in Hlink. apply Z.min_glb_lt.
    { destruct (Hp (x0, r0) ltac:(now left)) as [Hm _]. apply in_members in Hm as [H1 H2].
      specialize (Hf _ H1 H2). unfold on_arc in Hf. fold B in Hf. cbn [snd] in Hf.
      pose proof (Z.mod_pos_bound (r0 * a - start) B HB). lia. }
    pose proof (at_most_largest 0 _ _ (in_map link_length _ _ Hlink)) as H. unfold link_length at 1 in H. lia.
Qed.

(** L16 with the gap of the node: a feasible move leaves an arc free, for each difference. *)
Theorem L16_of_a_node d y delta :
  feasible y -> apart_by bits a d y delta -> members d <> [] -> B - Z.abs delta < gap d.
Proof.
  intros Hy Hd Hne. destruct (L16 bits few line a d y delta Hy Hd) as [start Hs].
  apply (free_arc_is_short d start); [assumption|lia|assumption].
Qed.

(** L18: c good ones on an arc, and no others, are no fewer than [span] allows. *)
Lemma span_is_short d start long some :
  long <= B -> long <= gap d -> some <> [] -> NoDup some ->
  (forall r, In r line -> In (r + d) line -> on_arc bits start long (r * a) -> kind r = kind (r + d)) ->
  (forall r, In r some -> In r line /\ In (r + d) line /\ on_arc bits start long (r * a)) ->
  span d (length some) < long.
Proof.
  intros HlB Hgap Hne Hd Hgood Hsome. unfold on_arc in *. fold B in Hgood, Hsome.
  assert (Hin : forall r, In r some -> In r (members d) /\ good d r = true).
  { intros r Hr. destruct (Hsome r Hr) as (H1 & H2 & H3). split; [now apply in_members|].
    unfold good. apply Z.eqb_eq. now apply Hgood. }
  destruct (first_by (fun r => (r * a - start) mod B) some Hne) as (i & Hi & Hfirst).
  assert (Haway : forall j, In j some -> (j * a - i * a) mod B < long).
  { intros j Hj. rewrite (on_the_arc start i j (Hfirst j Hj)). destruct (Hsome j Hj) as (_ & _ & H).
    pose proof (Z.mod_pos_bound (i * a - start) B HB). lia. }
  assert (Hkept : forall j, In j some -> In j (kept d i) /\ least i j <= long - 1).
  { intros j Hj. pose proof (least_is_least i j) as Hleast. specialize (Haway j Hj). split; [|lia].
    destruct (Hin j Hj) as [Hm Hg]. apply filter_In. split; [assumption|]. rewrite Hg. apply negb_true_iff.
    destruct (left_out d i j) eqn:El; [exfalso|easy]. apply left_out_if in El.
    unfold may_be_left_out in El. apply orb_true_iff in El as [El|El]; [|apply Z.ltb_lt in El; lia].
    apply existsb_exists in El as (s & Hs & El). apply andb_true_iff in El as [Hng Hst].
    apply stop_is_between in Hst. apply in_members in Hs as [Hs1 Hs2].
    pose proof (on_the_arc start i j (Hfirst j Hj)) as Ej.
    destruct (Hsome j Hj) as (_ & _ & Hja). pose proof (Z.mod_pos_bound (j * a - start) B HB).
    pose proof (behind_on_the_arc start i s ltac:(lia)) as Es.
    apply negb_true_iff in Hng. unfold good in Hng. rewrite (Hgood s Hs1 Hs2 ltac:(lia)) in Hng.
    now rewrite Z.eqb_refl in Hng. }
  apply Z.le_lt_trans with (long - 1); [|lia].
  etransitivity; [|apply (c_of_them_are_so_small (least i) (kept d i) some (long - 1) (4 * B) Hne Hd Hkept)]. unfold span.
  apply at_least_smallest, in_map_iff. exists i. split; [easy|]. apply filter_In. now apply Hin.
Qed.

(** The cell of moves; cells are small. *)
Variables at_ g : Z.
Hypothesis small : forall d, In d differences -> g + Z.abs d * w + B <= 2 ^ 63.

Lemma apart_in_the_cell d y delta :
  In d differences -> at_ <= y <= at_ + g -> apart_by bits a d y delta -> low d at_ <= delta <= high d at_ g.
Proof.
  intros Hd Hy [Hdelta [k E]]. specialize (small d Hd). fold B in Hdelta.
  pose proof (a_step_further d) as Hs. unfold low, high, signed.
  set (z := at_ + d * begin) in *.
  pose proof (Z.div_mod (z + 2 ^ 63) (2 ^ 64) ltac:(lia)) as Ez.
  pose proof (Z.mod_pos_bound (z + 2 ^ 63) (2 ^ 64) ltac:(lia)) as Hz.
  set (q := (z + 2 ^ 63) / 2 ^ 64) in *. set (m := (z + 2 ^ 63) mod 2 ^ 64) in *.
  assert (E2 : delta = m - 2 ^ 63 + (y - at_) + d * (a - begin) + (q - k) * 2 ^ 64) by (unfold z in Ez; lia).
  assert (Z.abs (d * w) = Z.abs d * w) by (rewrite Z.abs_mul; f_equal; lia).
  assert (q - k = 0); [|lia]. set (e := q - k) in *. clearbody e m. lia.
Qed.

(** L17, its last sentence: a cell that is closed has no feasible move, at any step of the node. *)
Theorem L17_of_a_cell y : at_ <= y <= at_ + g -> feasible y -> cell_may at_ g = true.
Proof.
  intros Hy Hf. unfold cell_may. apply negb_true_iff. destruct (existsb _ _) eqn:E; [exfalso|easy].
  apply existsb_exists in E as (d & Hd & E). unfold closed in E. apply andb_true_iff in E as [_ E].
  apply Z.ltb_lt in E. pose proof (small d Hd) as Hsm.
  set (delta := signed (at_ + d * begin) + (y - at_) + d * (a - begin)).
  assert (Hin : low d at_ <= delta <= high d at_ g).
  { pose proof (a_step_further d). unfold low, high, delta. lia. }
  assert (Hgap : 0 <= gap d).
  { unfold gap. destruct (map _ _) as [|[x0 r0] rest]; [lia|]. apply Z.min_glb; [lia|].
    generalize (map link_length (links (x0, r0) (rest ++ [(x0 + B, r0)]))) as l. intros l.
    induction l; cbn [fold_right]; lia. }
  assert (Hfar : Z.abs delta <= farthest (low d at_) (high d at_ g)) by (unfold farthest; lia).
  assert (Hap : apart_by bits a d y delta).
  { split; [fold B; lia|]. unfold delta, signed. exists ((at_ + d * begin + 2 ^ 63) / 2 ^ 64).
    pose proof (Z.div_mod (at_ + d * begin + 2 ^ 63) (2 ^ 64) ltac:(lia)). lia. }
  destruct (members d) as [|r some] eqn:Em.
  - unfold gap in E. destruct (order d) as [|r rest] eqn:Eo; [cbn [map] in E; unfold farthest in E; lia|].
    assert (H : In r (members d)) by (apply order_is_full; rewrite Eo; now left). now rewrite Em in H.
  - pose proof (L16_of_a_node d y delta Hf Hap ltac:(now rewrite Em)). lia.
Qed.

(** L18 for a node: no more slots are common than its spans allow. *)
Theorem L18_of_a_cell t y :
  at_ <= y <= at_ + g -> feasible y -> compatible t y -> common_slots bits line a t y <= cell_shares at_ g.
Proof.
  intros Hy Hf Hc. unfold cell_shares. apply Z.min_glb; [now apply common_at_most_patterns|].
  etransitivity; [now apply common_at_most|].
  assert (H0 : forall d, 0 <= given at_ g d).
  { intros d. unfold given. cbv zeta. destruct (_ <? B); lia. }
  apply (L18 bits few line kind once differences all_differences a t y); auto; [lia|].
  intros d delta start some Hd Hnd Hgood Hsome. destruct some as [|r0 rest] eqn:Es; [cbn; apply H0|].
  rewrite <- Es in *. assert (Hne : some <> []) by now rewrite Es.
  assert (Hdd : In d differences).
  { destruct (Hsome r0) as (H1 & H2 & _); [rewrite Es; now left|].
    replace d with (r0 + d - r0) by lia. now apply all_differences. }
  pose proof (apart_in_the_cell d y delta Hdd Hy Hd) as Hin.
  pose proof (nearest_is_near _ _ _ Hin) as Hnear.
  assert (Hmem : members d <> []).
  { intros E. destruct (Hsome r0) as (H1 & H2 & _); [rewrite Es; now left|].
    assert (H : In r0 (members d)) by now apply in_members. now rewrite E in H. }
  pose proof (L16_of_a_node d y delta Hf Hd Hmem) as Hgap.
  destruct Hd as [Hd1 _]. fold B in Hd1, Hgood, Hsome.
  pose proof (span_is_short d start (B - Z.abs delta) some ltac:(lia) ltac:(lia) Hne Hnd Hgood Hsome) as Hspan.
  unfold given. cbv zeta. destruct (Z.ltb_spec (nearest (low d at_) (high d at_ g)) B); [|lia].
  apply Nat2Z.inj_le. unfold largest_c. apply at_most_largest_nat, filter_In. split.
  - apply in_seq. split; [rewrite Es; cbn; lia|]. rewrite Nat.add_1_l. apply Nat.lt_succ_r.
    apply NoDup_incl_length; [assumption|]. intros r Hr. destruct (Hsome r Hr) as (H1 & H2 & H3).
    apply filter_In. split; [now apply in_members|]. unfold good. apply Z.eqb_eq. now apply Hgood.
  - apply Z.leb_le. lia.
Qed.

End Node.
