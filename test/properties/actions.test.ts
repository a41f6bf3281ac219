// Laws of actions against the emulator: what an action writes, and which actions run at once.
import { expect, test, vi } from 'vitest';
import { fieldsExcludedBy } from '../../src/kinds/values/exclusive.ts';
import { present } from '../../src/model/errors.ts';
import type { ActionId, Address } from '../../src/model/names.ts';
import type { Fields } from '../../src/model/value.ts';
import { KINDS } from '../support/files.ts';
import { type Pictured, pictureOf } from '../support/picture.ts';
import { apply, plan } from '../support/reconcile.ts';
import { OUTSIDE, onAccount, settle, withMoves } from './appliedAccount.ts';
import { anyJourney } from './generators/accounts.ts';
import { observedRun } from './observedRun.ts';
import { law, PATIENCE } from './runs.ts';

vi.setConfig({ testTimeout: PATIENCE });

test('with one action at a time or eight at once, the resulting account is the same', () =>
  law(anyJourney, 7, async ({ server, from, to }) => {
    const endOf = (concurrency: number) =>
      onAccount(server, async account => {
        await settle(account, from, { concurrency });
        const reported = await withMoves(account, to, { prune: 'unmanaged' });
        const settled = await settle(account, reported, { concurrency, prune: 'unmanaged' });
        const held = settled.plan.leftAlone.filter(({ reason }) => reason === 'referenced');
        return { picture: await pictureOf(account), held: held.map(({ address }) => address) };
      });
    const parallel = await endOf(8);
    const serial = await endOf(1);
    // Which of several ingress peers serves a port, and so cannot go, is the server's to choose.
    const held = new Set<string>([...parallel.held, ...serial.held]);
    const textsOf = ({ picture }: typeof serial) =>
      Object.fromEntries(
        picture
          .filter(({ name }) => !held.has(name))
          .map(({ name, live, fields }) => [name, textOf(asDeclared(name, live, fields))]),
      );
    // Which ports serve so many of them is the server's to choose too: of two forms of one fact the declared one counts.
    const declared = new Map(to.map(one => [`${one.kind}.${one.key}`, one.fields]));
    const asDeclared = (name: string, { kind }: Pictured['live'], fields: Fields): Fields => {
      const { shape } = present(KINDS.get(kind), kind);
      const others = fieldsExcludedBy(shape, declared.get(name) ?? {});
      return Object.fromEntries(Object.entries(fields).filter(([field]) => !others.has(field)));
    };
    expect(textsOf(parallel)).toEqual(textsOf(serial));
  }));

test('an action changes no object that it does not announce', () =>
  law(anyJourney, 4, ({ server, from, to }) =>
    onAccount(server, async account => {
      await settle(account, from);
      const reported = await withMoves(account, to, { prune: 'unmanaged' });
      const made = await plan(account, reported, { ...OUTSIDE, prune: 'unmanaged' });
      for (const { action, changed } of await observedRun(account, made)) {
        const announced = new Set(
          action.writes.map(address =>
            address.replace(/\[(".*")\]$/, (_, key) => `.${JSON.parse(key)}`),
          ),
        );
        const own = action.verb === 'create' ? undefined : action.remoteId;
        const silent = changed.filter(({ id, name }) => id !== own && !announced.has(name));
        expect(silent, action.id).toEqual([]);
      }
    }),
  ));

test('two actions that write one object never run at the same time', () =>
  law(anyJourney, 7, ({ server, from, to }) =>
    onAccount(server, async account => {
      await settle(account, from, { concurrency: 8 });
      const reported = await withMoves(account, to, { prune: 'unmanaged' });
      const made = await plan(account, reported, { ...OUTSIDE, prune: 'unmanaged' });
      const busy = new Map<Address, ActionId>();
      const met: string[] = [];
      await apply(account, made, {
        ...OUTSIDE,
        concurrency: 8,
        onEvent: ({ type, action }) => {
          for (const address of action.writes) {
            const other = busy.get(address);
            if (type === 'start' && other) met.push(`${action.id} met ${other}`);
            if (type === 'start') busy.set(address, action.id);
            else if (other === action.id) busy.delete(address);
          }
        },
      });
      expect(met).toEqual([]);
    }),
  ));

/** Fields as text. A pointer that nobody wrote anew leads nowhere, by an id that no other run gave. */
function textOf(fields: Fields): string {
  return JSON.stringify(fields).replaceAll(/"id:[^"]*"/g, '"gone"');
}
