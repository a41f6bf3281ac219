// A create that opens everything to everybody is visible in every format and at every size of plan.
import { describe, expect, test } from 'vitest';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { schemaCompiler } from '../../src/kinds/schema/keywords.ts';
import type { Plan } from '../../src/model/plan.ts';
import { element } from '../../src/report/graph/markup.ts';
import { planSections } from '../../src/report/page/planSections.ts';
import { planOfText } from '../../src/report/plan/planFile.ts';
import { planText } from '../../src/report/plan/planText.ts';
import { savedPlan } from '../../src/report/plan/savedPlan.ts';
import { PLAN_FORMATS } from '../../src/report/planFormats.ts';
import { PLAIN } from '../../src/report/text/style.ts';
import type { Detail } from '../../src/report/view/planView.ts';
import { group, network, planFor, type Read } from '../engine/planning.ts';
import { KINDS } from '../support/files.ts';

/** More than a text shows of any list, and with long names more than fits a comment. */
const HARMLESS = 120;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

const ACCOUNT: readonly Read[] = [
  ...['All', 'ops', 'opener'].map(name => group(`id-${name}`, name)),
  network('id-n', 'n'),
  [
    'service_user',
    {
      id: 'id-s',
      name: 's',
      role: 'user',
      auto_groups: [],
      is_blocked: false,
      is_service_user: true,
      issued: 'api',
      email: '',
      status: 'active',
    },
  ],
];

/** A kind that can open access: its files with these objects, one that opens, one that does not, and what a reader must see. */
interface Opening {
  readonly files: (objects: string) => string;
  readonly opener: string;
  /** `tail` makes its name longer. */
  readonly harmless: (i: number, tail: string) => string;
  readonly seen: readonly string[];
}

const list = (key: string) => (objects: string) => `${key}: [${objects}]`;
const rule = (fields: string) => `rules: [{ name: r, ${fields} }]`;
const closed = 'sources: [ops], destinations: [ops], protocol: tcp, ports: ["22"]';
const user = 'auto_groups: []';

const OPENINGS: Readonly<Record<string, Opening>> = {
  policy: {
    files: list('policies'),
    opener: `{ name: opener, ${rule('sources: [All], destinations: [All], protocol: all')} }`,
    harmless: (i, tail) => `{ name: p${i}${tail}, ${rule(closed)} }`,
    seen: ['All', 'all'],
  },
  'one rule of many': {
    files: list('policies'),
    opener: `{ name: opener, rules: [${numbers(40).map(i => `{ name: r${i}, ${closed} }`)}, { name: z, sources: [All], destinations: [All], protocol: udp }] }`,
    harmless: (i, tail) => `{ name: p${i}${tail}, ${rule(closed)} }`,
    seen: ['All', 'udp'],
  },
  'one source of many': {
    files: list('policies'),
    opener: `{ name: opener, ${rule(`sources: [${numbers(60).map(i => `h${i}`)}, All], destinations: [All], protocol: all`)} }`,
    harmless: (i, tail) => `{ name: p${i}${tail}, ${rule(closed)} }`,
    seen: ['All', 'all'],
  },
  route: {
    files: list('routes'),
    opener:
      '{ network_id: opener, network: 0.0.0.0/0, peer_groups: [ops], groups: [All], masquerade: true }',
    harmless: (i, tail) =>
      `{ network_id: r${i}${tail.slice(0, 30)}, network: 10.${i >> 8}.${i & 255}.0/24, peer_groups: [ops], groups: [ops], masquerade: true }`,
    seen: ['0.0.0.0/0', 'All'],
  },
  resource: {
    files: objects => `networks: [{ name: n, resources: [${objects}] }]`,
    opener: '{ name: opener, address: 0.0.0.0/0, groups: [All] }',
    harmless: (i, tail) =>
      `{ name: r${i}${tail}, address: 10.${i >> 8}.${i & 255}.0/24, groups: [ops] }`,
    seen: ['0.0.0.0/0', 'All'],
  },
  router: {
    files: objects => `networks: [{ name: n, routers: [${objects}] }]`,
    opener: '{ peer_groups: [opener], metric: 1, masquerade: true }',
    harmless: (i, tail) => `{ peer_groups: [h${i}${tail}], metric: 9, masquerade: true }`,
    seen: ['opener'],
  },
  'setup key': {
    files: list('setup_keys'),
    opener:
      '{ name: opener, type: reusable, expires_in: 31536000, usage_limit: 0, auto_groups: [ops] }',
    harmless: (i, tail) =>
      `{ name: k${i}${tail}, type: one-off, expires_in: 86400, auto_groups: [] }`,
    seen: ['reusable', '31536000', 'ops'],
  },
  user: {
    files: list('users'),
    opener: `{ email: opener@example.com, name: o, role: admin, ${user} }`,
    harmless: (i, tail) =>
      `{ email: u${i}${tail.slice(0, 50)}@example.com, name: u, role: user, ${user} }`,
    seen: ['admin'],
  },
  'service user': {
    files: list('service_users'),
    opener: `{ name: opener, role: admin, ${user} }`,
    harmless: (i, tail) => `{ name: u${i}${tail}, role: user, ${user} }`,
    seen: ['admin'],
  },
  invite: {
    files: list('user_invites'),
    opener: `{ email: opener@example.com, name: o, role: admin, ${user} }`,
    harmless: (i, tail) =>
      `{ email: u${i}${tail.slice(0, 50)}@example.com, name: u, role: user, ${user} }`,
    seen: ['admin'],
  },
  token: {
    files: objects =>
      `service_users: [{ name: s, role: user, auto_groups: [], tokens: [${objects}] }]`,
    opener: '{ name: opener, expires_in: 365 }',
    harmless: (i, tail) => `{ name: t${i}${tail}, expires_in: 1 }`,
    seen: ['365'],
  },
};

/** Makes a list of so many names longer than forges have room for. */
const LONG = '-as-people-call-it'.repeat(24);

const GROUPS = `groups: [${numbers(HARMLESS).map(i => `{ name: h${i} }`)}]`;

const MANY_LONG = `groups: [${numbers(HARMLESS).map(i => `{ name: ${i}${LONG} }`)}]`;

/** What follows the name of the opener, wherever the changes of a plan have it. */
function around(shown: string): readonly string[] {
  const [changes = ''] = shown.split('\nLeft alone');
  return [...changes.matchAll(/opener/g)].map(({ index }) => changes.slice(index, index + 60_000));
}

const isDocument = schemaCompiler().compile(shippedSchema('plan.schema.json'));

/** The plan after it was saved and read. */
function saved(plan: Plan): Plan {
  const { document } = savedPlan(plan, KINDS, 0);
  const read = planOfText(JSON.stringify(document), 'plan.json', isDocument);
  if (!('plan' in read)) throw new Error(read.diagnostic.message);
  return read.plan;
}

/** The plan in all formats, and as text in all sizes; the last is a saved one. */
async function everywhere(plan: Plan): Promise<readonly (readonly [string, string])[]> {
  const style = { ...PLAIN, width: 80 };
  const asText = (detail: Detail, shown = plan) => planText(shown, KINDS, style, { detail });
  const formats = Object.entries(PLAN_FORMATS).map(async ([name, load]) => {
    const { render } = await load();
    return [name, render({ plan, kinds: KINDS, style })] as const;
  });
  const page = planSections({ plan, kinds: KINDS }).map(
    ({ content }) => element('div', {}, content).markup,
  );
  return [
    ...(await Promise.all(formats)),
    ['full', asText('full')],
    ['page', page.join('')],
    ['saved', asText('screen', saved(plan))],
  ];
}

describe.each(Object.entries(OPENINGS))('%s', (name, { files, opener, harmless, seen }) => {
  const among = (tail = '') => {
    const others = numbers(HARMLESS).map(i => harmless(i, tail));
    return files(
      [...others.slice(0, HARMLESS / 2), opener, ...others.slice(HARMLESS / 2)].join(', '),
    );
  };
  test.each([
    [`among ${HARMLESS} groups`, `${files(opener)}\n${GROUPS}`],
    [`among ${HARMLESS} of its kind`, among()],
  ])('%s', async (_where, yaml) => {
    const plan = planFor(yaml, ACCOUNT);
    expect(plan.changes.length).toBeGreaterThanOrEqual(HARMLESS);
    const hidden = (await everywhere(plan)).filter(
      ([, shown]) => !around(shown).some(text => seen.every(word => text.includes(word))),
    );
    expect(hidden.map(([format]) => format)).toEqual([]);
  });

  // A router opens nothing that its declaration could say.
  test.skipIf(name === 'router')(
    'comes first in a comment, a summary and Markdown, with what it opens',
    async () => {
      const plan = planFor(`${among(LONG)}\n${MANY_LONG}`, ACCOUNT);
      const tops = ['comment', 'summary', 'markdown'] as const;
      const shown = await Promise.all(
        tops.map(async format => {
          const [name, detail] = format === 'summary' ? (['text', format] as const) : [format];
          const { render } = await PLAN_FORMATS[name]();
          const report = { plan, kinds: KINDS, style: PLAIN, ...(detail && { detail }) };
          return [format, render(report)] as const;
        }),
      );
      const late = shown.filter(([, text]) => {
        const [head = ''] = text.split('<details>');
        const rows = `\n${head}`.replace('| | object |', '').split(/\n *(?=[|+] )/);
        const [, first = ''] = rows;
        return !first.includes('opener') || !seen.every(word => first.includes(word));
      });
      expect(late.map(([format, text]) => `${format}: ${text.slice(0, 700)}`)).toEqual([]);
    },
  );
});
