// What templates and `for_each` cost: `validate` of objects that come from one, against the same objects written out.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ground, pairsFor } from './extent.ts';
import { type Figure, figure } from './figures.ts';
import { type Command, paired } from './processes.ts';
import { LAUNCHER } from './servers.ts';

const OBJECTS = 10_000;
const TARGET = '≤ 1.15';

const SHARED = `description: every team has this policy
rules:
  - name: web
    sources: [staff]
    destinations: [servers]
    protocol: tcp
    ports: ["443", "8443"]`;

/** The shared fields, so many columns in. */
const shared = (columns: number): string =>
  SHARED.replaceAll(/^/gm, ' '.repeat(columns)).trimStart();

const GROUPS = 'groups: [{ name: staff }, { name: servers }]\n';
const numbers = Array.from({ length: OBJECTS }, (_, n) => n);

const WRITTEN_OUT = `${GROUPS}policies:
${numbers.map(n => `  - name: policy ${n}\n    ${shared(4)}\n`).join('')}`;

const EXTENDED = `${GROUPS}templates:
  - name: shared
    ${shared(4)}
policies:
${numbers.map(n => `  - name: policy ${n}\n    extends: shared\n`).join('')}`;

const REPEATED = `${GROUPS}sets:
  teams: [${numbers.map(n => `"${n}"`).join(', ')}]
policies:
  - name: policy \${each.key}
    for_each: teams
    ${shared(4)}
`;

/** Measures objects that come from a template, and from a set. */
export async function templates({ folder, extent }: Ground): Promise<readonly Figure[]> {
  const command = (name: string, text: string): Command => {
    const home = join(folder, name);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'policies.yaml'), text);
    return { argv: [LAUNCHER, 'validate', home], cwd: folder };
  };
  const plain = command('written-out', WRITTEN_OUT);
  const figures: Figure[] = [];
  for (const [name, text, measure] of [
    ['extended', EXTENDED, 'validate of objects that extend a template ÷ written out'],
    ['repeated', REPEATED, 'validate of objects of one `for_each` ÷ written out'],
  ] as const) {
    const { ratio } = await paired(command(name, text), plain, pairsFor(extent, OBJECTS));
    figures.push(figure(measure, ratio, { objects: OBJECTS, unit: 'ratio', target: TARGET }));
  }
  return figures;
}
