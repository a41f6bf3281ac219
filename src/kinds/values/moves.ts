// Whether a change of a field is one that an effect of a kind describes.
import equal from 'fast-deep-equal/es6/index.js';
import type { Danger, Grant } from '../kind.ts';

/** The part of an effect that describes the change of a field. */
type Move = Pick<Danger | Grant, 'when'> & Partial<Pick<Grant, 'none'>>;

/** Whether a value changed in the way that `when` describes. */
export function hasMoved({ when, none = [] }: Move, from: unknown, to: unknown): boolean {
  switch (when) {
    case 'changes':
      return true;
    case 'turns-on':
      return to === true;
    case 'turns-off':
      return from === true && to === false;
    case 'falls':
      return typeof to === 'number' && (typeof from !== 'number' || to < from);
    case 'rises':
      return typeof to === 'number' && typeof from === 'number' && to > from;
    case 'gains':
      return hasOthers(to, from);
    case 'loses':
      return hasOthers(from, to);
    case 'empties':
      return !isEmptyList(from) && isEmptyList(to);
    case 'narrows':
      return !isEmptyList(to) && (isEmptyList(from) || hasOthers(from, to));
    case 'chooses':
      return typeof to === 'string' && to !== from && to !== '' && !none.includes(to);
    case 'widens':
      return !isEmptyList(from) && !isEmptyList(to) && hasOthers(to, from);
  }
}

// Whether one list has members that the other list does not have.
const hasOthers = (one: unknown, other: unknown): boolean =>
  listed(one).some(member => !listed(other).some(known => equal(member, known)));

const isEmptyList = (value: unknown): boolean => listed(value).length === 0;

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
