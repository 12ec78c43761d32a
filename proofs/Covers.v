(** * Covers: two rules that join intervals, and when a list of them is complete *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Words Leaves.
Import ListNotations.
Open Scope Z_scope.

(** The two rules of reduction: neighbours become one interval with the same members.
    - (w, a, b) (w, b+1, c)                    ->  (w, a, c)
    - (w, a, b) (w, a + 2^(w-1), b + 2^(w-1))  ->  (w-1, a, b)   where b < 2^(w-1)              *)
Definition joined (i j : interval) : option interval :=
  if negb (w i =? w j) then None
  else if low j =? high i + 1 then Some {| w := w i; low := low i; high := high j |}
  else
    let half := 2 ^ (w i - 1) in
    if (0 <? w i) && (high i <? half) && (low j =? low i + half) && (high j =? high i + half)
    then Some {| w := w i - 1; low := low i; high := high i |}
    else None.

(** The next interval is joined with the last one before it, as often as a rule applies. The list
    is what is left so far, the last interval first. *)
Fixpoint push (before : list interval) (i : interval) : list interval :=
  match before with
  | [] => [i]
  | last :: others => match joined last i with Some j => push others j | None => i :: before end
  end.

(** Everything has 65 names, (w, 0, 2^w - 1). *)
Definition is_everything (i : interval) : bool :=
  (0 <=? w i) && (low i =? 0) && (high i =? 2 ^ w i - 1).

Definition same (i j : interval) : bool :=
  (w i =? w j) && (low i =? low j) && (high i =? high j).

(** What is left is the root alone. *)
Definition is_complete (before : list interval) (root : interval) : bool :=
  match before with
  | [i] => same i root || (is_everything i && is_everything root)
  | _ => false
  end.

(** Shards, in order, are complete if their roots reduce to everything. *)
Definition roots_are_everything (roots : list interval) : bool :=
  match fold_left push roots [] with [i] => is_everything i | _ => false end.

(** ** What follows *)

Definition covered (m : Z) (intervals : list interval) : Prop :=
  exists i, In i intervals /\ member m i.

Lemma halves m n : 0 <= n -> m mod 2 ^ (n + 1) = m mod 2 ^ n \/ m mod 2 ^ (n + 1) = m mod 2 ^ n + 2 ^ n.
Proof.
  intros Hn. rewrite Z.pow_add_r by lia. change (2 ^ 1) with 2.
  assert (0 < 2 ^ n) by (apply Z.pow_pos_nonneg; lia).
  rewrite Z.rem_mul_r by lia.
  pose proof (Z.mod_pos_bound (m / 2 ^ n) 2 ltac:(lia)).
  assert ((m / 2 ^ n) mod 2 = 0 \/ (m / 2 ^ n) mod 2 = 1) as [-> | ->] by lia; lia.
Qed.

(** No m is won by a rule: who is in what is left was in one of the two. *)
Lemma joined_members i j k m : joined i j = Some k -> member m k -> member m i \/ member m j.
Proof.
  unfold joined, member. destruct (Z.eqb_spec (w i) (w j)) as [E|]; [|easy]. cbn [negb].
  destruct (Z.eqb_spec (low j) (high i + 1)) as [El|_].
  - intros [= <-]; cbn [w low high]. rewrite <- E. lia.
  - cbv zeta.
    destruct (Z.ltb_spec 0 (w i)); [|easy].
    destruct (Z.ltb_spec (high i) (2 ^ (w i - 1))); [|easy].
    destruct (Z.eqb_spec (low j) (low i + 2 ^ (w i - 1))); [|easy].
    destruct (Z.eqb_spec (high j) (high i + 2 ^ (w i - 1))); [|easy].
    cbn [andb]. intros Ek. injection Ek as <-. cbn [w low high]. rewrite <- E.
    intros Hm. pose proof (halves m (w i - 1) ltac:(lia)) as Hh.
    replace (w i - 1 + 1) with (w i) in Hh by lia. lia.
Qed.

Lemma push_covers m before : forall i,
  covered m (push before i) -> covered m before \/ member m i.
Proof.
  induction before as [|last others IH]; simpl; intros i.
  - intros (j & [<-|[]] & Hm). now right.
  - destruct (joined last i) as [k|] eqn:E.
    + intros H. apply IH in H as [(j & Hj & Hm)|Hm].
      * left. exists j. auto with datatypes.
      * apply (joined_members _ _ _ _ E) in Hm as [Hm|Hm]; [left; exists last; auto with datatypes|now right].
    + intros (j & [<-|Hj] & Hm); [now right|]. left. now exists j.
Qed.

Lemma everything_has_all i m : is_everything i = true -> member m i.
Proof.
  unfold is_everything, member. rewrite !andb_true_iff, Z.leb_le, !Z.eqb_eq.
  intros [[Hw ->] ->].
  pose proof (Z.mod_pos_bound m (2 ^ w i) ltac:(apply Z.pow_pos_nonneg; lia)). lia.
Qed.

(** The two theorems of this file: completeness means what it says. *)
Theorem complete_covers_the_root before root m :
  is_complete before root = true -> member m root -> covered m before.
Proof.
  unfold is_complete. destruct before as [|i [|]]; try easy.
  rewrite orb_true_iff. intros [H|H] Hm; exists i; (split; [now left|]).
  - unfold same in H. rewrite !andb_true_iff, !Z.eqb_eq in H. destruct H as [[H1 H2] H3].
    unfold member in *. rewrite H1, H2, H3. assumption.
  - apply andb_true_iff in H as [H _]. now apply everything_has_all.
Qed.

Lemma pushed_roots m roots : forall before,
  covered m (fold_left push roots before) -> covered m before \/ covered m roots.
Proof.
  induction roots as [|r roots IH]; simpl; intros before H; [now left|].
  apply IH in H as [H|(i & Hi & Hm)].
  - apply push_covers in H as [H|H]; [now left|]. right. exists r. auto with datatypes.
  - right. exists i. auto with datatypes.
Qed.

Theorem roots_cover_everything roots m :
  roots_are_everything roots = true -> covered m roots.
Proof.
  unfold roots_are_everything.
  destruct (fold_left push roots []) as [|i [|]] eqn:E; try easy. intros H.
  destruct (pushed_roots m roots []) as [(j & [] & _)|Hm]; [|assumption].
  rewrite E. exists i. split; [now left|]. now apply everything_has_all.
Qed.

(** ** No m is counted twice

    How many intervals of a list hold m. Both rules keep this number, where intervals have members. *)
Definition holds (m : Z) (i : interval) : bool := (low i <=? m mod 2 ^ w i) && (m mod 2 ^ w i <=? high i).

Fixpoint holders (m : Z) (intervals : list interval) : Z :=
  match intervals with [] => 0 | i :: others => (if holds m i then 1 else 0) + holders m others end.

Definition has_members (i : interval) : Prop := 0 <= low i <= high i.

Lemma held_is_member m i : holds m i = true <-> member m i.
Proof. unfold holds, member. rewrite andb_true_iff. lia. Qed.

Lemma joined_once i j k m :
  has_members i -> has_members j -> joined i j = Some k ->
  holders m [k] = holders m [i] + holders m [j] /\ has_members k.
Proof.
  unfold joined, has_members. intros Hi Hj. cbn [holders]. unfold holds.
  destruct (Z.eqb_spec (w i) (w j)) as [E|]; [|easy]. cbn [negb].
  destruct (Z.eqb_spec (low j) (high i + 1)) as [El|_].
  - intros [= <-]; cbn [w low high]. rewrite <- E. split; [|lia].
    set (t := m mod 2 ^ w i).
    destruct (Z.leb_spec (low i) t), (Z.leb_spec t (high j)), (Z.leb_spec t (high i)),
      (Z.leb_spec (low j) t); cbn [andb]; lia.
  - cbv zeta.
    destruct (Z.ltb_spec 0 (w i)); [|easy].
    destruct (Z.ltb_spec (high i) (2 ^ (w i - 1))); [|easy].
    destruct (Z.eqb_spec (low j) (low i + 2 ^ (w i - 1))) as [El|]; [|easy].
    destruct (Z.eqb_spec (high j) (high i + 2 ^ (w i - 1))) as [Eh|]; [|easy].
    cbn [andb]. intros Ek. injection Ek as <-. cbn [w low high]. split; [|lia].
    rewrite <- E. rewrite El, Eh. clear El Eh.
    pose proof (halves m (w i - 1) ltac:(lia)) as Hh.
    replace (w i - 1 + 1) with (w i) in Hh by lia.
    pose proof (Z.mod_pos_bound m (2 ^ (w i - 1)) ltac:(apply Z.pow_pos_nonneg; lia)).
    set (u := m mod 2 ^ (w i - 1)) in *. set (t := m mod 2 ^ w i) in *.
    set (half := 2 ^ (w i - 1)) in *.
    destruct (Z.leb_spec (low i) u), (Z.leb_spec u (high i)), (Z.leb_spec (low i) t),
      (Z.leb_spec t (high i)), (Z.leb_spec (low i + half) t), (Z.leb_spec t (high i + half));
      cbn [andb]; lia.
Qed.

Lemma pushed_once m before : forall i,
  Forall has_members before -> has_members i ->
  holders m (push before i) = holders m before + holders m [i] /\ Forall has_members (push before i).
Proof.
  induction before as [|last others IH]; cbn [push]; intros i Hb Hi.
  - split; [cbn [holders]; lia|auto].
  - inversion_clear Hb as [|? ? Hlast Hothers].
    destruct (joined last i) as [k|] eqn:E.
    + apply (joined_once last i k m) in E as [E Hk]; [|assumption|assumption].
      destruct (IH k Hothers Hk) as [-> H]. cbn [holders] in *. split; [lia|assumption].
    + cbn [holders] in *. split; [lia|auto].
Qed.

Lemma everything_has_all_once i m : is_everything i = true -> holders m [i] = 1.
Proof.
  intros H. cbn [holders]. apply (everything_has_all i m), held_is_member in H. now rewrite H.
Qed.

Theorem roots_cover_everything_once roots m :
  Forall has_members roots -> roots_are_everything roots = true -> holders m roots = 1.
Proof.
  unfold roots_are_everything. intros Hroots H.
  assert (Hfold : forall roots before, Forall has_members roots -> Forall has_members before ->
    holders m (fold_left push roots before) = holders m before + holders m roots).
  { clear. induction roots as [|r roots IH]; cbn [fold_left holders]; intros before Hr Hb; [lia|].
    inversion_clear Hr. destruct (pushed_once m before r) as [E Hp]; try assumption.
    rewrite IH, E by assumption. cbn [holders]. lia. }
  specialize (Hfold roots [] Hroots ltac:(auto)). cbn [holders] in Hfold.
  destruct (fold_left push roots []) as [|i [|]]; try easy.
  apply everything_has_all_once with (m := m) in H. lia.
Qed.
