// Who changed what, held against what is known: hundreds of edits by five people.
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/emulator/index.ts';
import { type Extent, patience, proof } from '../support/proof.ts';
import { type Edit, IDLE, LOGGED, UNLOGGED } from './edits.ts';
import { applyFiles, attributions, type Member, namedIn, type Team, team } from './team.ts';

/** Edits by one person each. A quarter as many are made by two people, and a quarter are edits that no log entry names. */
const EDITS: Extent = { slice: 40, full: 200 };
const MACHINES = 20;

const name = (kind: string, number: number) => `${kind}${number}`;

/** How many objects of every kind so many edits need, with room for chance. */
const objectsFor = (edits: number) => Math.ceil(edits * 0.14);

/** Files with so many objects of every kind. */
function filesWith(each: number, silent: number): string {
  const times = (kind: string, text: (name: string, number: number) => string, count = each) =>
    Array.from({ length: count }, (_, i) => `  - ${text(name(kind, i), i)}`).join('\n');
  return `
groups:
  - { name: crew }
  - { name: stores }
${times('group', (one, i) => `{ name: ${one}, peers: [machine${i % MACHINES}] }`)}
peers:
${times('machine', one => `{ name: ${one}, ssh_enabled: false }`, MACHINES)}
posture_checks:
${times('posture', one => `{ name: ${one}, description: ours, checks: { nb_version_check: { min_version: 1.2.0 } } }`)}
policies:
${times('policy', one => `{ name: ${one}, description: ours, rules: [{ name: r, sources: [crew], destinations: [stores], protocol: tcp, ports: ["22"] }] }`)}
networks:
${[
  times('network', one => `{ name: ${one}, description: ours }`),
  times(
    'resource',
    (one, i) =>
      `{ name: ${one}, resources: [{ name: ${one}, description: ours, address: 10.1.${i}.5, groups: [stores] }] }`,
  ),
  times(
    'silent',
    (one, i) =>
      `{ name: ${one}, resources: [{ name: ${one}, description: ours, address: 10.2.${i}.5, groups: [stores] }] }`,
    silent,
  ),
  times(
    'router',
    one => `{ name: ${one}, routers: [{ peer_groups: [crew], metric: 100, masquerade: true }] }`,
  ),
].join('\n')}
routes:
${times('route', (one, i) => `{ network_id: ${one}, network: 10.3.${i}.0/24, peer_groups: [crew], groups: [stores], metric: 50, masquerade: true, description: ours, enabled: true, keep_route: false }`)}
setup_keys:
${times('key', one => `{ name: ${one}, type: reusable, expires_in: 864000, auto_groups: [crew], revoked: false }`)}
service_users:
${times('robot', one => `{ name: ${one}, role: user, auto_groups: [crew], is_blocked: false }`)}
identity_providers:
${times('provider', one => `{ name: ${one}, type: google, client_id: ours, client_secret: "\${env:HUSH}" }`)}
notification_channels:
${times('channel', one => `{ type: email, target: { emails: [${one}@example.com] }, event_types: [user.join], enabled: true }`)}
`;
}

interface Made {
  readonly address: string;
  readonly by: readonly Member[];
}

test.each(['spec', 'netbird'] as const)(
  'edits on %s are attributed to their authors, and edits by two people or without a log entry to nobody',
  { timeout: patience(EDITS) },
  dialect =>
    team(
      async world => {
        const { count, seed, found } = proof(
          `edits that are traced to their authors, ${dialect}`,
          EDITS,
        );
        const few = Math.ceil(count / 4);
        const each = objectsFor(count);
        const random = seededRandom(seed);
        const among = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
        for (let i = 0; i < MACHINES; i++) await world.account.enrol(`machine${i}`);
        await applyFiles(world, filesWith(each, few));
        const kinds = Object.keys(LOGGED).filter(kind => kind !== 'person');
        const fresh = freshNames(kinds, each);
        const single: Made[] = [];
        for (let i = 0; i < count; i++) {
          const kind = among(kinds.filter(fresh.has));
          single.push(await edited(world, kind, fresh.take(kind), 1, { among, number: i }));
        }
        const double: Made[] = [];
        for (let i = 0; i < few; i++) {
          // A machine has no second edit that the log records.
          const kind = among(kinds.filter(one => one !== 'machine' && fresh.has(one)));
          double.push(
            await edited(world, kind, fresh.take(kind), 2, { among, number: 100 + count + i }),
          );
        }
        const silent: string[] = [];
        for (let i = 0; i < few; i++) {
          const one = name('silent', i);
          if (i % 2 === 0) await IDLE(among(world.people).call, one, i);
          await (UNLOGGED.resource as Edit)(among(world.people).call, one, i);
          silent.push(`network_resource.${one}/${one}`);
        }
        const reported = await attributions(world);
        const of = (address: string) => {
          const one = reported.get(address);
          if (!one) throw new Error(`no difference of ${address} is reported`);
          return one;
        };
        const exact = single.filter(({ address }) => of(address).confidence === 'exact');
        for (const { address, by } of single) {
          const one = of(address);
          const emails = by.map(({ email }) => email);
          if (one.confidence === 'exact') expect([one.by?.email], address).toEqual(emails);
          if (one.confidence === 'window')
            expect(namedIn(one), address).toEqual(expect.arrayContaining(emails));
        }
        const others = single.filter(one => !exact.includes(one)).map(({ address }) => of(address));
        expect(exact.length, JSON.stringify(others, null, 1)).toBeGreaterThanOrEqual(0.95 * count);
        for (const { address } of double) expect(of(address).confidence, address).not.toBe('exact');
        for (const address of silent) expect(of(address).confidence, address).not.toBe('exact');
        found(
          `${exact.length} named exactly, and nobody for ${2 * few} by two people or without a log entry`,
        );
      },
      { dialect },
    ),
);

/** Hands out each object once. */
function freshNames(kinds: readonly string[], each: number) {
  const used = new Map(kinds.map(kind => [kind, 0]));
  const limit = (kind: string) => (kind === 'machine' ? MACHINES : each);
  return {
    has: (kind: string) => (used.get(kind) ?? 0) < limit(kind),
    take: (kind: string) => {
      const number = used.get(kind) ?? 0;
      used.set(kind, number + 1);
      return name(kind, number);
    },
  };
}

/** Lets so many people edit an object, one after the other. */
async function edited(
  { people, pass }: Team,
  kind: string,
  object: string,
  count: number,
  { among, number }: { among: <T>(list: readonly T[]) => T; number: number },
): Promise<Made> {
  const { address, stays, goes } = LOGGED[kind] ?? { address: String, stays: [], goes: [] };
  const by: Member[] = [];
  const done = new Set<Edit>();
  for (let i = 0; i < count; i++) {
    const open = people.filter(one => !by.includes(one));
    const who = among(open);
    const isLast = i === count - 1;
    const all = isLast ? [...stays, ...goes] : stays;
    const edit = among(all.some(one => !done.has(one)) ? all.filter(one => !done.has(one)) : all);
    done.add(edit);
    await edit(who.call, object, number * 10 + i);
    pass(30_000);
    by.push(who);
  }
  return { address: address(object), by };
}
