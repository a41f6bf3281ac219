// The demonstration of `tighten`: an example company uses its network for ninety days, and
// `tighten` finds the unused access. The emulator and the commands share a simulated clock, so
// nobody has to wait.
import { seededRandom } from '../../emulator/index.ts';
import { present } from '../../model/errors.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import { shippedText } from '../../shipped.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import {
  type DemoCompany,
  type DemoProgram,
  demoSteps,
  FOLDER,
  withDemoCompany,
} from './demoCompany.ts';

const TRAFFIC = 'assets/demo/traffic.json';
const STORE = 'traffic';
const DAYS = 90;
/** Days between two reads of the log, which contains the records of seven days. */
const EVERY = 3;
const BEGIN = Date.parse('2026-03-02T00:00:00Z');
const DAY = 86_400_000;
/** How long before midnight the log is read, in milliseconds. */
const LOOK_BEFORE = 60_000;

const NEXT = [
  'What to do next: ask the owners of these rules, and read the evidence with --details. With --write, meshform edits',
  `the files as the findings in state \`certain\` propose; \`meshform plan ${FOLDER} --store ${STORE}\` then shows the`,
  'access that ends. Keep access that is needed and rarely used with `lifecycle: { keep_access: REASON }`. A finding in',
  'state `unknown` needs more observation: until the machines in it have reported on each day on which they are connected.',
];

/**
 * The network of the company on the first day: the paths of the emulator, its machines with their group names, and the traffic to
 * simulate.
 */
interface Company {
  readonly groups: string;
  readonly enrol: string;
  readonly days: string;
  readonly traffic: JsonObject;
  readonly machines: readonly (JsonObject & { readonly groups: readonly string[] })[];
}

/** Runs the demonstration; resolves to 0 if every step succeeded. */
export function demoTighten(io: Io, program: DemoProgram): Promise<number> {
  let time = BEGIN;
  const random = seededRandom(1);
  const options = { controls: true, clock: () => new Date(time), random };
  return withDemoCompany({ ...io, now: () => time }, options, async company => {
    const { begin, end, step } = demoSteps(company.io, program);
    begin('A company has a network');
    if (!(await isQuietly(['apply', FOLDER, '--yes', '--concurrency', '1'], company, program)))
      return EXIT.failed;
    const { machines, days, traffic } = await enrolled(company);
    say(io.stdout, `${machines.length} machines join the account of ${FOLDER}.`);
    begin(`They use it for ${DAYS} days`);
    const look = ['observe', '--store', STORE];
    say(io.stdout, `$ meshform ${look.join(' ')}    # each ${EVERY} days`);
    if (!(await isQuietly(look, company, program))) return EXIT.failed;
    for (let day = 0; day < DAYS; day += 1) {
      time = BEGIN + day * DAY;
      await company.controls.write('POST', days, { ...traffic, days: 1 });
      time += DAY - LOOK_BEFORE;
      if ((day + 1) % EVERY === 0 && !(await isQuietly(look, company, program))) return EXIT.failed;
    }
    await step('What nobody used', ['tighten', FOLDER, '--store', STORE], EXIT.done);
    io.stdout.write(['', ...NEXT, ''].join('\n'));
    return end();
  });
}

// Enrols the machines into the groups that the files declare.
async function enrolled({ account, controls }: DemoCompany): Promise<Company> {
  const company: Company = JSON.parse(shippedText(TRAFFIC));
  const found = await account.get(company.groups);
  const ids = new Map(
    (isList(found) ? found.filter(isObject) : []).map(({ name, id }) => [name, id]),
  );
  for (const machine of company.machines) {
    const groups = machine.groups.map(name => present<Json>(ids.get(name), `the group ${name}`));
    await controls.write('POST', company.enrol, { ...machine, groups });
  }
  return company;
}

// Runs a command and shows its output only if the command fails.
async function isQuietly(
  argv: readonly string[],
  { io }: DemoCompany,
  { version, run }: DemoProgram,
): Promise<boolean> {
  const output: string[] = [];
  const sink = { write: (text: string) => void output.push(text), isTerminal: false };
  const code = await run(argv, { ...io, stdout: sink, stderr: sink }, version);
  if (code !== EXIT.done) io.stderr.write(output.join(''));
  return code === EXIT.done;
}
