(** * Counting slots, L20 and L21: what overlaps little takes many slots

    proofs/rounding-lemma.md, "Counting slots". Integers only, and nothing of rooks. *)

From Coq Require Import ZArith Lia Bool List.
Import ListNotations.
Open Scope Z_scope.

(** The sum of f over a list. *)
Definition total {A : Type} (l : list A) (f : A -> Z) : Z := fold_right (fun a n => f a + n) 0 l.

(** ** Sums *)

Lemma total_app {A} (l l' : list A) f : total (l ++ l') f = total l f + total l' f.
Proof. induction l; cbn [total fold_right app] in *; unfold total in *; lia. Qed.

Lemma total_map {A C} (l : list A) (g : A -> C) f : total (map g l) f = total l (fun a => f (g a)).
Proof. unfold total. induction l; cbn [map fold_right]; lia. Qed.

Lemma total_plus {A} (l : list A) f g : total l (fun a => f a + g a) = total l f + total l g.
Proof. unfold total. induction l; cbn [fold_right]; lia. Qed.

Lemma total_times {A} (l : list A) k f : total l (fun a => k * f a) = k * total l f.
Proof. unfold total. induction l; cbn [fold_right]; lia. Qed.

Lemma total_ext {A} (l : list A) f g : (forall a, In a l -> f a = g a) -> total l f = total l g.
Proof.
  unfold total. induction l as [|a l IH]; cbn [fold_right]; intros H; [easy|].
  rewrite (H a) by now left. rewrite IH; [easy|]. intros b Hb. apply H. now right.
Qed.

Lemma total_le {A} (l : list A) f g : (forall a, In a l -> f a <= g a) -> total l f <= total l g.
Proof.
  unfold total. induction l as [|a l IH]; cbn [fold_right]; intros H; [lia|].
  pose proof (H a ltac:(now left)). specialize (IH (fun b Hb => H b (or_intror Hb))). lia.
Qed.

Lemma total_constant {A} (l : list A) k : total l (fun _ => k) = k * Z.of_nat (length l).
Proof. unfold total. induction l; cbn [fold_right length]; lia. Qed.

Lemma total_swap {A C} (l : list A) (l' : list C) f :
  total l (fun a => total l' (fun b => f a b)) = total l' (fun b => total l (fun a => f a b)).
Proof.
  induction l as [|a l IH].
  - change (0 = total l' (fun _ => 0)). rewrite total_constant. lia.
  - change (total (a :: l) (fun a => total l' (fun b => f a b)))
      with (total l' (fun b => f a b) + total l (fun a => total l' (fun b => f a b))).
    rewrite IH, <- total_plus. now apply total_ext.
Qed.

Lemma total_of_bools {A} (l : list A) (f : A -> bool) :
  total l (fun a => Z.b2z (f a)) = Z.of_nat (length (filter f l)).
Proof.
  unfold total. induction l as [|a l IH]; cbn [fold_right filter]; [easy|].
  destruct (f a); cbn [length Z.b2z]; lia.
Qed.

(** ** L21 *)

Section Counting.

Variables (X S : Type) (slots : list S) (takes : X -> S -> bool).

(** How many slots x takes; how many x and y have in common; the same for lists, over all pairs; and
    how many slots a list takes together. *)
Definition size (x : X) : Z := total slots (fun s => Z.b2z (takes x s)).
Definition common (x y : X) : Z := total slots (fun s => Z.b2z (takes x s && takes y s)).
Definition points (l : list X) : Z := total l size.
Definition shared (l l' : list X) : Z := total l (fun x => total l' (fun y => common x y)).
Definition taken (l : list X) (s : S) : bool := existsb (fun x => takes x s) l.
Definition used (l : list X) : Z := total slots (fun s => Z.b2z (taken l s)).

(** Common slots over ordered pairs of two different places of the list: [Z] of the document. *)
Definition excess (l : list X) : Z := shared l l - points l.

Let often (l : list X) (s : S) : Z := total l (fun x => Z.b2z (takes x s)).

Lemma points_by_slots l : points l = total slots (often l).
Proof. unfold points, size, often. apply (total_swap l slots (fun x s => Z.b2z (takes x s))). Qed.

Lemma shared_by_slots l l' : shared l l' = total slots (fun s => often l s * often l' s).
Proof.
  unfold shared, common.
  rewrite (total_ext l _ (fun x => total slots (fun s => Z.b2z (takes x s) * often l' s))).
  - rewrite total_swap. apply total_ext. intros s _. unfold often.
    rewrite (total_ext l _ (fun x => total l' (fun y => Z.b2z (takes y s)) * Z.b2z (takes x s)))
      by (intros; lia).
    rewrite total_times. lia.
  - intros x _. rewrite total_swap. apply total_ext. intros s _. unfold often.
    rewrite <- total_times. apply total_ext. intros y _.
    now destruct (takes x s), (takes y s).
Qed.

Lemma taken_is_often l s : Z.b2z (taken l s) <= often l s /\ (taken l s = false -> often l s = 0).
Proof.
  unfold taken, often, total. induction l as [|x l [IH1 IH2]]; cbn [existsb fold_right]; [easy|].
  destruct (takes x s), (existsb (fun x => takes x s) l); cbn [orb Z.b2z] in *; split;
    try (intros; discriminate); try lia; intros; rewrite ?IH2 in *; auto; lia.
Qed.

(** L21 in the form that a checker uses: (u - k) (u - k - 1) >= 0 for the u copies in each slot. *)
Theorem L21_by_k k l : 0 <= k -> 2 * k * points l - excess l <= k * (k + 1) * used l.
Proof.
  intros Hk. unfold excess, used.
  assert (H : (2 * k + 1) * points l - shared l l <= k * (k + 1) * total slots (fun s => Z.b2z (taken l s)));
    [|lia].
  rewrite points_by_slots, shared_by_slots.
  assert (E : total slots (fun s => (2 * k + 1) * often l s + -1 * (often l s * often l s))
              <= total slots (fun s => k * (k + 1) * Z.b2z (taken l s))).
  { apply total_le. intros s _. destruct (taken_is_often l s) as [H1 H2].
    destruct (taken l s); cbn [Z.b2z] in *; [|rewrite H2 by easy; lia].
    assert (0 <= (often l s - k) * (often l s - k - 1)); [|lia].
    destruct (Z.le_gt_cases (often l s) k); nia. }
  rewrite total_plus, !total_times in E. lia.
Qed.

(** L21 as the document has it: by Cauchy and Schwarz. *)
Theorem L21_by_squares l : points l * points l <= used l * (points l + excess l).
Proof.
  unfold excess. replace (points l + (shared l l - points l)) with (shared l l) by ring.
  rewrite points_by_slots, shared_by_slots.
  set (P := total slots (often l)). set (U := used l).
  assert (E : 0 <= total slots (fun s => U * U * (often l s * often l s)
                 + (-2 * U * P * often l s + P * P * Z.b2z (taken l s)))).
  { rewrite <- (Z.mul_0_l (Z.of_nat (length slots))), <- total_constant. apply total_le. intros s _.
    destruct (taken_is_often l s) as [_ H]. destruct (taken l s); cbn [Z.b2z].
    - assert (0 <= (U * often l s - P) * (U * often l s - P)) by apply Z.square_nonneg. lia.
    - rewrite H by easy. lia. }
  rewrite !total_plus, !total_times in E. fold (used l) in E. fold P U in E.
  assert (HU : 0 <= U).
  { unfold U, used. rewrite total_of_bools. lia. }
  destruct (Z.eq_dec U 0) as [E0|]; [|nia].
  assert (P <= 0); [|assert (0 <= P); [|nia]].
  - unfold P. rewrite <- (Z.mul_0_l (Z.of_nat (length slots))), <- total_constant.
    assert (Hall : forall s, In s slots -> taken l s = false).
    { intros s Hs. destruct (taken l s) eqn:Et; [exfalso|easy].
      assert (In s (filter (taken l) slots)) by (apply filter_In; auto).
      unfold U, used in E0. rewrite total_of_bools in E0.
      destruct (filter (taken l) slots); cbn [length] in *; [easy|lia]. }
    apply total_le. intros s Hs. destruct (taken_is_often l s) as [_ Hz]. rewrite Hz; auto; lia.
  - unfold P. rewrite <- (Z.mul_0_l (Z.of_nat (length slots))), <- total_constant.
    apply total_le. intros s _. destruct (taken_is_often l s) as [Hz _].
    destruct (taken l s); cbn [Z.b2z] in Hz; lia.
Qed.

(** Common slots are counted, and none of them less than once. *)
Lemma excess_nonnegative l : 0 <= excess l.
Proof.
  unfold excess. rewrite points_by_slots, shared_by_slots.
  assert (total slots (often l) <= total slots (fun s => often l s * often l s)); [|lia].
  apply total_le. intros s _. destruct (Z.le_gt_cases (often l s) 0); nia.
Qed.

(** Two lists that take no slot both. *)
Lemma used_apart l l' :
  (forall s, In s slots -> taken l s = true -> taken l' s = true -> False) ->
  used (l ++ l') = used l + used l'.
Proof.
  intros H. unfold used. rewrite <- total_plus. apply total_ext. intros s Hs. specialize (H s Hs).
  unfold taken in *. rewrite existsb_app.
  destruct (existsb (fun x => takes x s) l), (existsb (fun x => takes x s) l'); try easy.
  exfalso. auto.
Qed.

Lemma used_more l l' : used l <= used (l ++ l').
Proof.
  unfold used. apply total_le. intros s _. unfold taken. rewrite existsb_app.
  now destruct (existsb (fun x => takes x s) l), (existsb (fun x => takes x s) l').
Qed.

Lemma used_at_most l : used l <= Z.of_nat (length slots).
Proof.
  unfold used. rewrite <- (Z.mul_1_l (Z.of_nat _)), <- total_constant. apply total_le.
  intros s _. now destruct (taken l s).
Qed.

Lemma used_one x : used [x] = size x.
Proof. unfold used, size, taken. apply total_ext. intros s _. cbn. now rewrite orb_false_r. Qed.

Lemma shared_app l1 l2 l' : shared (l1 ++ l2) l' = shared l1 l' + shared l2 l'.
Proof. apply total_app. Qed.

Lemma shared_sym l l' : shared l l' = shared l' l.
Proof.
  unfold shared. rewrite total_swap. apply total_ext. intros x _. apply total_ext. intros y _.
  unfold common. apply total_ext. intros s _. now rewrite andb_comm.
Qed.

(** Pairs in a list of two parts. *)
Lemma excess_app l l' : excess (l ++ l') = excess l + excess l' + 2 * shared l l'.
Proof.
  unfold excess. rewrite shared_app, (shared_sym l), (shared_sym l'), !shared_app.
  unfold points. rewrite total_app. rewrite (shared_sym l' l). lia.
Qed.

End Counting.
