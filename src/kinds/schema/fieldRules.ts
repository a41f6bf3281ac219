// Rules between the fields of one object that JSON Schema cannot express.
import type { Fields } from '../../model/value.ts';
import type { CheckName } from '../traits.ts';

const CHECK: Readonly<Record<CheckName, (value: Fields) => string | undefined>> = {
  'range-order': ({ start, end }) =>
    typeof start === 'number' && typeof end === 'number' && start > end
      ? 'the range ends before it starts'
      : undefined,
};

/** The sentence about how `value` breaks the rule; undefined if it does not break the rule. */
export function ruleFault(name: CheckName, value: Fields): string | undefined {
  return CHECK[name](value);
}
