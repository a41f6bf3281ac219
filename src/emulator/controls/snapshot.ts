// The whole state as a value, to be put back later.
import type { Json } from '../../model/value.ts';
import { INSTALLATION } from '../account.ts';
import { done, ok } from '../answer.ts';
import { anything, list, object, text, whole } from '../body.ts';
import { invalid } from '../refusal.ts';
import type { Row, Rows } from '../store/store.ts';
import type { Control } from './control.ts';

const FORM = 1;

/** What belongs to the emulator that runs, and not to the state it has. */
const ITS_OWN = ['clock', 'starts'];

const SNAPSHOT = object({
  form: whole,
  rows: list(object({ scope: text, table: text, key: text, value: anything })),
});

/** All that all accounts hold, tokens included as far as they are kept. */
export const takeSnapshot: Control = ({ rows }) =>
  ok({
    form: FORM,
    rows: stateIn(rows).map(({ scope, table, key, value }) => ({
      ...{ scope, table, key },
      // Rows hold nothing but JSON.
      value: value as Json,
    })),
  });

/** Puts back what a snapshot holds, in place of all there is. The emulator's own token still opens the first account. */
export const restoreSnapshot: Control = ({ rows, reopen, body }) => {
  const { form, rows: kept } = body(SNAPSHOT);
  if (form !== FORM) throw invalid(`a snapshot of form ${form} is not known here`);
  for (const { scope, table, key } of stateIn(rows)) rows.remove(scope, table, key);
  for (const { scope, table, key, value } of kept) rows.put(scope, table, key, value);
  reopen(rows);
  return done();
};

function stateIn(rows: Rows): readonly Row[] {
  return rows
    .everything()
    .filter(({ scope, table }) => scope !== INSTALLATION || !ITS_OWN.includes(table));
}
