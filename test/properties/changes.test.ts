// Laws of single changes against the emulator: a plan finds a changed field, drift, a rename and a move.
import { expect, test, vi } from 'vitest';
import { KINDS } from '../support/files.ts';
import { pictureOf } from '../support/picture.ts';
import { onAccount, settle } from './appliedAccount.ts';
import { anyAccount } from './generators/accounts.ts';
import { changeField } from './generators/changedField.ts';
import { movedAway, renamed } from './generators/renamed.ts';
import { law, PATIENCE } from './runs.ts';

vi.setConfig({ testTimeout: PATIENCE });

test('a change of one field is detected, applied, and gone in the next plan', () =>
  law(anyAccount, 10, ({ server, desired, random }) =>
    onAccount(server, async account => {
      await settle(account, desired);
      const moved = changeField(desired, random, server);
      if (!moved) return;
      const { plan: made } = await settle(account, moved.desired, { base: desired });
      const found = made.changes.map(({ address, type, fields }) => ({
        address,
        type,
        fields: [...new Set(fields.map(({ path }) => path[0]))],
      }));
      const { address, field, type } = moved;
      expect(found).toEqual([{ address, type, fields: [field] }]);
      expect(made.changes.flatMap(({ fields }) => fields.map(({ since }) => since))).not.toContain(
        'drift',
      );
    }),
  ));

test('a change that somebody else made is detected as drift, and undone', () =>
  law(anyAccount, 10, ({ server, desired, random }) =>
    onAccount(server, async account => {
      const moved = changeField(desired, random, server);
      if (!moved) return;
      await settle(account, moved.desired);
      const { plan: made } = await settle(account, desired, { base: desired });
      const sinces = new Set(
        made.changes.flatMap(({ fields }) => fields.map(({ since }) => since)),
      );
      expect(sinces.isSubsetOf(new Set(['drift']))).toBe(true);
    }),
  ));

test('a rename keeps every id, and does not change other objects', () =>
  law(anyAccount, 10, ({ server, desired, random }) =>
    onAccount(server, async account => {
      await settle(account, desired);
      const ids = async () => (await pictureOf(account)).map(({ uid }) => uid).sort();
      const before = await ids();
      const after = renamed(desired, random, server);
      if (!after) return;
      const { plan: made } = await settle(account, after, { base: desired, prune: 'removed' });
      expect(
        made.changes.map(({ kind, type, fields }) => ({
          type,
          paths: fields.map(({ path }) => path),
          isName: fields.every(({ path }) =>
            KINDS.get(kind)
              ?.identity.flat()
              .includes(path[0] ?? ''),
          ),
        })),
      ).toEqual([{ type: 'update', paths: [expect.anything()], isName: true }]);
      expect(await ids()).toEqual(before);
    }),
  ));

test('an object that moves to another parent is referenced at its new place', () =>
  law(anyAccount, 20, ({ server, desired, random }) =>
    onAccount(server, async account => {
      const after = movedAway(desired, random);
      if (!after) return;
      await settle(account, desired);
      const { plan: made } = await settle(account, after, { base: desired, prune: 'removed' });
      expect(made.changes.filter(({ type }) => type === 'create' || type === 'delete')).toEqual([]);
    }),
  ));
