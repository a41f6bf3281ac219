// Writers that keep an account of what they were answered: what must be there after a kill, and what must not.
import { type Draw, pick } from '../fuzz/draw.ts';

/** What the writers know. What was under way when the emulator died may have happened or not. */
export interface Ledger {
  /** By path, the name that was acknowledged last. */
  readonly present: Map<string, string>;
  readonly gone: Set<string>;
  /** Paths whose last write was not answered. */
  readonly unsure: Set<string>;
  /** How many writes were answered. */
  acknowledged: number;
}

export function newLedger(): Ledger {
  return { present: new Map(), gone: new Set(), unsure: new Set(), acknowledged: 0 };
}

export type Send = (method: string, path: string, body?: object) => Promise<unknown>;

/** Writes for ever; ends where a write is not answered. `reported` is called after each answer. */
export async function writeOn(
  send: Send,
  ledger: Ledger,
  { draw, reported }: { readonly draw: Draw; readonly reported: () => void },
): Promise<void> {
  let number = 0;
  const name = () => `${Math.floor(draw() * 2 ** 32)}-${number++}`;
  const acknowledged = () => {
    ledger.acknowledged += 1;
    reported();
  };
  const create = async (collection: string, body: object = {}): Promise<string> => {
    const fields = { name: name(), ...body };
    const { id } = Object(await send('POST', collection, fields));
    ledger.present.set(`${collection}/${id}`, fields.name);
    acknowledged();
    return String(id);
  };
  const rename = async (path: string): Promise<void> => {
    const fields = { name: name() };
    ledger.unsure.add(path);
    await send('PUT', path, fields);
    ledger.unsure.delete(path);
    ledger.present.set(path, fields.name);
    acknowledged();
  };
  const remove = async (path: string): Promise<void> => {
    const own = [...ledger.present.keys()].filter(
      one => one === path || one.startsWith(`${path}/`),
    );
    for (const one of own) ledger.unsure.add(one);
    await send('DELETE', path);
    for (const one of own) {
      ledger.unsure.delete(one);
      ledger.present.delete(one);
      ledger.gone.add(one);
    }
    acknowledged();
  };
  const turns = [
    async () => {
      const group = await create('/api/groups');
      await rename(`/api/groups/${group}`);
    },
    async () => {
      const group = await create('/api/groups');
      const network = `/api/networks/${await create('/api/networks')}`;
      const rest = { address: '10.0.0.1', enabled: true, groups: [group] };
      for (let count = 0; count < 3; count += 1) await create(`${network}/resources`, rest);
      if (draw() < 0.6) await remove(network);
      if (draw() < 0.3) await remove(`/api/groups/${group}`).catch(whereRefused);
    },
    async () => {
      const robot = { role: 'admin', auto_groups: [], is_service_user: true };
      const user = `/api/users/${await create('/api/users', robot)}`;
      await send('POST', `${user}/tokens`, { name: name(), expires_in: 1 });
      acknowledged();
      if (draw() < 0.5) await remove(user);
    },
  ];
  for (;;) await pick(draw, turns)();
}

/** A group that has resources stays: that is an answer, and no failure. */
function whereRefused(error: unknown): void {
  if (!(error instanceof RefusedWrite)) throw error;
}

export class RefusedWrite extends Error {
  override readonly name = 'RefusedWrite';
}
