$heading
//
// Usage, as a package of its own; when the board is chosen, and whenever it changes:
//
//	pieces, err := $scope.NewPieces(files, ranks)
//
// Then, where bit files * rank + file of occupied stands for a square (a1 = 0):
//
//	attacks := pieces.${First}Attacks(square, occupied)
//
// A piece that is known only at run time is a list of steps, made and looked up in the same way:
//
//	camel, err := $scope.NewPiece(files, ranks, []$scope.Step{
//		{Rule: $scope.Rider, X: 1, Y: 3, Limit: 1},
//		{Rule: $scope.Rider, X: 3, Y: 1, Limit: 1},
//	})
//	attacks = camel.Attacks(square, occupied)
//
// Pieces that are made may be looked up by any number of goroutines.

package $scope

import (
	"errors"
	"math/bits"
)

// Rule is how a piece makes a step.
type Rule uint8

const (
	Rider    Rule = iota // goes on along its step up to the first blocker, which it attacks
	Hopper               // does so behind the first blocker
	Lame                 // makes its step unless a square on the way is occupied
	LameBack             // the same, on the way from its target
)

// Step is X files to the right and Y ranks up; a rider or hopper attacks Limit squares at most,
// unless that is 0 (a leaper is a rider with limit 1).
type Step struct {
	Rule        Rule
	X, Y, Limit int
}

// MostBits is how many squares a mask may have if whole pieces are looked up at once.
const MostBits = 12

// MostBitsOfLines is the same of a line: boards of up to 18 files and ranks.
const MostBitsOfLines = 16

%% include constructor_words.go
%% include construct.go

type lookup struct {
	mask, magic Bitboard
	offset      uint32
	shift       uint8
}

// Piece is a piece on a board. It has one part, or one for each line, where the masks of the whole
// piece have more than MostBits squares, or no magic is built for one of them.
type Piece struct {
	files, ranks, parts int
	lookups             []lookup // the parts of the first square, those of the second ...
	entries             []Bitboard
}

// Attacks is what the piece attacks.
func (p *Piece) Attacks(square int, occupied Bitboard) (found Bitboard) {
	lookups := p.lookups[p.parts*square : p.parts*(square+1)]
	for n := range lookups {
		at := &lookups[n]
		found = or(found, p.entries[at.offset+index(and(occupied, at.mask), at.magic, at.shift)])
	}
	return found
}

// NewPiece makes a piece for a board of at most $width squares.
func NewPiece(files, ranks int, steps []Step) (*Piece, error) {
	if files < 1 || ranks < 1 || files > $width || ranks > $width/files {
		return nil, errors.New("$scope: expected a board of 1 to $width squares")
	}
	if len(steps) == 0 {
		return nil, errors.New("$scope: a piece without steps")
	}
	lines, leaps := [][]Step{}, []Step{}
	for _, step := range steps {
		if step.X == 0 && step.Y == 0 {
			return nil, errors.New("$scope: a step goes nowhere")
		}
		if step.Rule == Rider && step.Limit == 1 { // nothing bars it
			leaps = append(leaps, step)
			continue
		}
		n := 0
		for n < len(lines) && !onALine(lines[n][0], step) {
			n++
		}
		if n == len(lines) {
			lines = append(lines, nil)
		}
		lines[n] = append(lines[n], step)
	}
	piece := &Piece{files: files, ranks: ranks}
	if piece.make([][]Step{steps}, MostBits) {
		return piece, nil
	}
	if len(lines) > 0 {
		lines[0] = append(lines[0], leaps...)
		if piece.make(lines, MostBitsOfLines) {
			return piece, nil
		}
	}
	return nil, errors.New("$scope: more than 16 squares of a line matter")
}

func onALine(a, b Step) bool {
	return a.X == b.X && a.Y == b.Y || a.X == -b.X && a.Y == -b.Y
}

func (p *Piece) make(parts [][]Step, mostBits int) bool {
	p.parts, p.lookups, p.entries = len(parts), nil, nil
	for square := 0; square < p.files*p.ranks; square++ {
		for _, steps := range parts {
			if !p.add(steps, square, mostBits) {
				return false
			}
		}
	}
	return true
}

// add makes the lookup of a part on a square, and its attack sets.
func (p *Piece) add(steps []Step, square, mostBits int) bool {
	var mask, seen, occupied Bitboard
	p.walk(steps, square, occupied, &mask)
	size, length := count(mask), 1<<count(mask)
	if size > mostBits || (len(p.entries)+length)>>31 != 0 {
		return false
	}
	if size == 0 {
		size = 1
	}
	magic, built := Construct(mask, size)
	at := lookup{mask, magic, uint32(len(p.entries)), uint8($width - size)}
	p.lookups = append(p.lookups, at)
	entries := make([]Bitboard, length)
	for left := length; built && left > 0; left-- {
		entries[index(occupied, magic, at.shift)] = p.walk(steps, square, occupied, &seen)
		occupied = and(minus(occupied, mask), mask)
	}
	p.entries = append(p.entries, entries...)
	return built
}

func (p *Piece) on(x, y int) bool { return x >= 0 && x < p.files && y >= 0 && y < p.ranks }

func (p *Piece) bit(x, y int) Bitboard { return bit(p.files*y + x) }

// between has the squares between two: the longer distance is shortened first, equal ones are gone
// diagonally.
func (p *Piece) between(x, y, toX, toY int) (found Bitboard) {
	for {
		across, up := sign(toX-x), sign(toY-y)
		wide, high := across*(toX-x), up*(toY-y)
		if wide >= high {
			x += across
		}
		if high >= wide {
			y += up
		}
		if x == toX && y == toY {
			return found
		}
		found = or(found, p.bit(x, y))
	}
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	if n > 0 {
		return 1
	}
	return 0
}

// walk is what some steps attack. On an empty board mask gets the squares that can change it.
func (p *Piece) walk(steps []Step, square int, occupied Bitboard, mask *Bitboard) (found Bitboard) {
	fromX, fromY := square%p.files, square/p.files
	for _, step := range steps {
		var here Bitboard
		x, y, gone, hits := fromX+step.X, fromY+step.Y, 0, step.Rule != Hopper
		for ; p.on(x, y); x, y = x+step.X, y+step.Y {
			*mask = or(*mask, here)
			here = p.bit(x, y)
			if step.Rule == Lame || step.Rule == LameBack {
				legs := p.between(fromX, fromY, x, y)
				if step.Rule == LameBack {
					legs = p.between(x, y, fromX, fromY)
				}
				*mask = or(*mask, legs)
				if count(and(occupied, legs)) == 0 {
					found = or(found, here)
				}
				break
			}
			blocked := count(and(occupied, here)) != 0
			if hits {
				found = or(found, here)
				gone++
				if blocked || gone == step.Limit {
					break
				}
			}
			hits = hits || blocked
		}
	}
	return found
}

// Pieces are the pieces of this file, on one board.
type Pieces struct {
	$Pieces_joined *Piece
}

// NewPieces makes them for a board of at most $width squares.
func NewPieces(files, ranks int) (p *Pieces, err error) {
	p = &Pieces{}
%% for pieces
	if p.$Piece, err = NewPiece(files, ranks, []Step{
%% for steps
		{$Rule, $x, $y, $limit},
%% end
	}); err != nil {
		return nil, err
	}
%% end
	return p, nil
}
%% for pieces

// ${Piece}Attacks is what a $piece attacks.
func (p *Pieces) ${Piece}Attacks(square int, occupied Bitboard) Bitboard {
	return p.${Piece}.Attacks(square, occupied)
}
%% end
