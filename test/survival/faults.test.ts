// Any request of an apply goes wrong in any way: the account is what was wanted, or the report and the exit code say
// what it is not; a second apply brings it there; nothing is there twice.
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/emulator/index.ts';
import type { JsonObject } from '../../src/model/value.ts';
import type { Ended } from '../support/cli.ts';
import { patience, proof } from '../support/proof.ts';
import {
  ALLOWED,
  itemsOf,
  journalIn,
  MIXED,
  type Mixed,
  rotationAfter,
  startMixed,
} from './mixed.ts';

const FAULTS: Readonly<Record<string, JsonObject>> = {
  '429': { effect: 'status', status: 429 },
  '429 with Retry-After': { effect: 'status', status: 429, headers: { 'Retry-After': '2' } },
  '500': { effect: 'status', status: 500 },
  '502': { effect: 'status', status: 502 },
  timeout: { effect: 'delay', delay: 1_400 },
  'reset before the commit': { effect: 'reset' },
  'reset after the commit': { effect: 'reset', commit: true },
  'half of the JSON': { effect: 'truncate' },
  'a page of HTML': { effect: 'html', status: 200 },
};
/** Once, or until the client gives up; a timeout takes its time. */
const TIMES = [1, 1, 6];
/** Every request of the change, every fault. */
const RUNS = { slice: 2, full: 756 };

test.each(MIXED)(
  'the account is correct or the report of an apply of %s is true after faults, and a second apply converges',
  (kinds, setting) =>
    startMixed(async mixed => {
      const { count, seed, found } = proof(`faults of requests in an apply of ${kinds}`, RUNS);
      const random = seededRandom(seed);
      const figures = { right: 0, reported: 0, resumed: 0, unproven: 0, rotated: 0, leftKeys: 0 };
      for (const { nth, name, fault } of chosen(count, mixed.requests, random)) {
        const times = name === 'timeout' ? 1 : (TIMES[Math.floor(random() * TIMES.length)] ?? 1);
        const about = `seed ${seed}: ${name} of request ${nth}, ${times} times`;
        await mixed.reset();
        await mixed.fault({ ...fault, nth, times });
        const ended = await mixed.run(...mixed.apply, '--format', 'json');
        await mixed.clear();
        const isRight = (await mixed.held()) === mixed.wanted;
        // What goes wrong while looking back at what was done leaves the account right.
        expect(ended.code === 0 ? isRight : true, `${about}\n${ended.stderr}`).toBe(true);
        expect([0, 1, 4], about).toContain(ended.code);
        expect(await lies(ended, mixed), about).toEqual([]);
        figures[ended.code === 0 ? 'right' : 'reported'] += 1;
        if (ended.code === 0) continue;
        const journal = await journalIn(mixed.folder);
        let rotation: readonly string[] = [];
        if (journal !== null && random() < 0.5) {
          const resumed = await mixed.run(...RESUME);
          // Without the position of the audit log at the start, nothing proves who created an object whose response was lost.
          rotation = rotationAfter(resumed) ?? [];
          const isUnproven =
            resumed.code === 4 &&
            (rotation.length > 0 || !journal.some(({ type }) => type === 'log'));
          if (isUnproven) expect(resumed.stdout, about).toContain('the audit log does not');
          else expect(resumed.code, `${about}\n${resumed.stdout}\n${resumed.stderr}`).toBe(0);
          if (!isUnproven) expect(await mixed.held(), about).toBe(mixed.wanted);
          figures[rotation.length > 0 ? 'rotated' : isUnproven ? 'unproven' : 'resumed'] += 1;
          if (!isUnproven) continue;
        }
        const again = ['--journal', `${nth}-${name}.jsonl`, ...rotation];
        const second = await mixed.run(...mixed.apply, ...again);
        expect(second.code, `${about}\n${second.stdout.slice(-2000)}\n${second.stderr}`).toBe(0);
        if ((await mixed.held()) === mixed.wanted) continue;
        // An old key whose successor stands has lost its name: a new plan cannot tell that it was to go, and says so.
        expect(second.stdout, about).toContain('1 setup key not declared: id:');
        figures.leftKeys += 1;
      }
      const { right, reported, resumed, unproven, rotated, leftKeys } = figures;
      const tokens =
        rotated === 0
          ? ''
          : `; ${rotated} named the token whose creation no audit event shows, and its rotation ended them`;
      found(
        `${right} ended right at once; ${reported} said what was not done, and ${resumed} of them were resumed, the others applied again; ${leftKeys} of those told of an old key whose successor stood; ${unproven} were not resumed to the end, because the audit log could not be read before a response was lost${tokens}`,
      );
      expect(right + reported).toBe(count);
    }, setting),
  patience(RUNS, 6_000),
);

const RESUME = [
  'apply',
  '--resume',
  'run.jsonl',
  '--yes',
  '--secrets-to',
  'file:secrets.jsonl',
  ...ALLOWED,
];

interface Struck {
  readonly nth: number;
  readonly name: string;
  readonly fault: JsonObject;
}

// Every fault before any a second time, each at a request left to chance; all of them where there are so many runs.
function chosen(count: number, requests: number, random: () => number): Struck[] {
  const names = Object.entries(FAULTS);
  const shuffled = names.map(([name, fault]) => ({
    name,
    fault,
    nths: Array.from({ length: requests }, (_, i) => i + 1)
      .map(nth => ({ nth, at: random() }))
      .sort((a, b) => a.at - b.at),
  }));
  return Array.from({ length: count }, (_, i) => {
    const { name, fault, nths } = shuffled[i % names.length] ?? { name: '', fault: {}, nths: [] };
    const nth = nths[Math.floor(i / names.length) % requests]?.nth ?? 1;
    return { nth, name, fault };
  });
}

const LISTS = ['groups', 'policies', 'networks', 'routes', 'setup-keys', 'posture-checks'];
const LISTS_BEYOND = [
  'dns/zones',
  'dns/nameservers',
  'reverse-proxies/domains',
  'reverse-proxies/services',
];

// What the report says was done and the account does not show, or says was not and the account shows.
async function lies({ stdout, code }: Ended, { call, dialect }: Mixed): Promise<string[]> {
  if (stdout === '') return code === 1 ? [] : ['there is no report'];
  const { outcomes, complete } = JSON.parse(stdout);
  const said = itemsOf(outcomes);
  const isComplete = said.every(({ status }) => status === 'done');
  const lists = await Promise.all(
    [...LISTS, ...(dialect === 'netbird' ? LISTS_BEYOND : [])].map(async path =>
      itemsOf(await call('GET', `/api/${path}`)),
    ),
  );
  const ids = new Set(lists.flat().map(({ id }) => String(id)));
  const LISTED =
    /^(?:group|policy|network|route|setup_key|posture_check|dns_zone|nameserver_group|proxy_domain|proxy_service)[.[]/;
  const wrong = said.filter(({ action, address, status, remote_id: id }) => {
    if (status !== 'done' || !LISTED.test(String(address))) return false;
    return ids.has(String(id)) === String(action).startsWith('delete ');
  });
  return [
    ...wrong.map(({ action }) => `${String(action)} is said to be done`),
    ...(isComplete === complete ? [] : ['complete is not what the outcomes say']),
    ...(isComplete === (code === 0) ? [] : [`the exit code is ${code}`]),
  ];
}
