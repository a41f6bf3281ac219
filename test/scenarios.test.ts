// Every folder of `scenarios` is one story: an account, what the files want, the plan for it and what became of it.
// `plan.txt` proves the plan of each story. Each plan document is valid, is read back as the same plan, and has only the forms that
// `report/plan-forms.txt` lists. One story has its document as `plan.json`: what readers of this format version rely on.
// `BLESS=1` writes the expected files; read what it wrote like any other change.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { missingAllowances } from '../src/engine/checks/hazards.ts';
import { inParts } from '../src/engine/scope/parts.ts';
import type { PlanSettings } from '../src/engine/types/settings.ts';
import type { Dialect } from '../src/kinds/traits.ts';
import { canonicalFields } from '../src/kinds/values/canonical.ts';
import { allowance } from '../src/model/allowance.ts';
import { hasErrors } from '../src/model/diagnostic.ts';
import { present } from '../src/model/errors.ts';
import { heldBack } from '../src/model/missingObjects.ts';
import type { Desired } from '../src/model/object.ts';
import type { Plan } from '../src/model/plan.ts';
import { isList, type Json } from '../src/model/value.ts';
import { diagnosticsText } from '../src/report/findings/diagnosticText.ts';
import { planDocument } from '../src/report/plan/planDocument.ts';
import { planText } from '../src/report/plan/planText.ts';
import { PLAIN } from '../src/report/text/style.ts';
import type { Loaded } from '../src/source/load.ts';
import { startAccount, type TestAccount } from './support/account.ts';
import { KINDS, loadFiles } from './support/files.ts';
import { expectFormerFindings } from './support/formerFindings.ts';
import { type GateOptions, gatesFor, isRefused } from './support/gates.ts';
import { type Pictured, pictureOf, Symbols } from './support/picture.ts';
import { expectDocument } from './support/planDocuments.ts';
import { formsOf, LISTED_FORMS, listForms } from './support/project/planForms.ts';
import { SCENARIO_NAMES, SCENARIOS } from './support/project/scenarioFolders.ts';
import { standing, withReferred } from './support/project/staying.ts';
import { apply, plan, type ReconcileOptions, reconcile } from './support/reconcile.ts';

const BLESS = process.env.BLESS === '1';

/** `options.json`: how the run is made. */
interface Options extends Partial<Omit<PlanSettings, 'allow'>> {
  readonly allow?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Paths that the server answers with 404. */
  readonly unavailable?: readonly string[];
  /** False where a fresh account cannot hold what is desired: it lacks what the story began with. */
  readonly direct?: boolean;
  /** What the plan's access is held against. */
  readonly gates?: GateOptions;
}

/** `live.json`: what happened in the account before, step by step. Ids are written `<kind.key>`. */
type Step =
  | { readonly peer: string; readonly groups?: readonly string[] }
  | { readonly method: 'POST' | 'PUT' | 'DELETE'; readonly path: string; readonly body?: Json };

const open: TestAccount[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(account => account.close()));
});

/** By scenario, the forms of its plan document. */
const shown = new Map<string, ReadonlySet<string>>();

for (const name of SCENARIO_NAMES) {
  describe(name, () => {
    test('every scenario runs as its files say', () => tell(name));
  });
}

/** Scenarios whose plan has findings about access. */
const withFindings = new Set<string>();

const shownForms = () => new Set([...shown.values()].flatMap(forms => [...forms]));
afterAll(() => {
  if (BLESS && shown.size === SCENARIO_NAMES.length) listForms(shownForms());
});

test('several scenarios have findings about access', ({ skip }) => {
  skip(shown.size < SCENARIO_NAMES.length, 'not all scenarios have run');
  expect(withFindings.size).toBeGreaterThan(3);
});

test('every listed form of a plan document is shown by a scenario', ({ skip }) => {
  skip(BLESS || shown.size < SCENARIO_NAMES.length, 'not all scenarios have run');
  expect([...LISTED_FORMS.difference(shownForms())]).toEqual([]);
});

async function tell(name: string): Promise<void> {
  const story = new Story(name);
  const { options } = story;
  const account = await story.start(options.unavailable);
  const symbols = new Symbols();
  await story.seed(account, symbols, story.declared('live', symbols));
  const before = await pictureOf(account);
  symbols.learn(before);
  const desired = story.declared('desired', symbols);
  const base = story.declared('base', symbols);
  const access = story.access(symbols);
  const settings = { ...reconcileOptions(options), base, ...(access && { access }) };

  const asked = account.requests.length;
  const made = await plan(account, desired, settings);
  expect(writes(account, asked), 'a plan writes nothing').toEqual([]);
  story.expectFile('plan.txt', symbols.hide(textOf(made)));
  expectDocument(made);
  const document = symbols.hide(documentText(made));
  if (story.hasFile('plan.json')) story.expectFile('plan.json', document);
  if (expectFormerFindings(JSON.parse(document).meshform)) withFindings.add(name);
  const forms = formsOf(JSON.parse(document));
  shown.set(name, forms);
  if (!BLESS)
    expect([...forms.difference(LISTED_FORMS)], 'new forms: BLESS=1 lists them').toEqual([]);
  if (hasErrors(made.diagnostics) || missingAllowances(made.actions).length > 0) return;
  if (isRefused(made.gates)) return;

  const { outcomes, requests } = await apply(account, made, settings);
  expect(outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
  expect(requests, 'no request that was not planned').toBeLessThanOrEqual(made.requests.planned);
  const after = await pictureOf(account);
  symbols.learn(after);
  story.expectRequests(writes(account, asked).map(line => symbols.hide(line)));

  expectKept(before, after, made);
  // What is left out of a plan is not as declared.
  if (heldBack(made.diagnostics).length > 0) return;
  expectHeld(
    inParts(desired, KINDS, made.dialect as Dialect),
    after,
    await story.seededDirectly(symbols),
  );
  // Only a base that has moved on tells that a secret was sent.
  for (const last of options.rotate ? [desired] : [base, desired]) {
    const again = await plan(account, desired, { ...settings, base: last, rotate: [] });
    expect(again.changes, 'a second plan is empty').toEqual([]);
    expect(hasErrors(again.diagnostics)).toBe(false);
  }
}

/** The files of one folder, and the accounts they begin with. */
class Story {
  readonly options: Options;
  readonly #folder: URL;

  constructor(name: string) {
    this.#folder = new URL(`${name}/`, SCENARIOS);
    this.options = JSON.parse(this.#text('options.json') ?? '{}');
  }

  async start(unavailable: readonly string[] = []): Promise<TestAccount> {
    const { dialect = 'spec' } = this.options;
    const account = await startAccount({ dialect });
    open.push(account);
    if (unavailable.length === 0) return account;
    const dispatcher = account.transport.dispatcher.compose(dispatch => (request, handler) => {
      const isGone = unavailable.includes(request.path);
      return dispatch(isGone ? { ...request, path: '/api/gone' } : request, handler);
    });
    return { ...account, transport: { ...account.transport, dispatcher } };
  }

  /** Peers that are in no group come first; then what `live.yaml` declares; then every other step. */
  async seed(
    account: TestAccount,
    symbols: Symbols,
    declared: readonly Desired[],
    isOurs: (step: Step) => boolean = () => true,
  ): Promise<void> {
    const steps: Step[] = JSON.parse(this.#text('live.json') ?? '[]');
    const isAlone = (step: Step) => 'peer' in step && step.groups === undefined;
    for (const step of steps.filter(isAlone)) await takeStep(account, symbols, step);
    const { dialect = 'spec', env = {} } = this.options;
    const { plan: made, result } = await reconcile(account, declared, {
      dialect,
      env,
      concurrency: 1,
    });
    expect(made.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
    for (const step of steps.filter(other => !isAlone(other) && isOurs(other)))
      await takeStep(account, symbols, step);
  }

  /** What seeding the desired state into a new account gives; null where a new account cannot hold it. */
  async seededDirectly(symbols: Symbols): Promise<readonly Pictured[] | null> {
    if (this.options.direct === false) return null;
    const desired = standing(this.declared('desired', symbols));
    const plain = desired.map(object => ({ ...object, lifecycle: {} }));
    const account = await this.start();
    const needed = withReferred(plain, this.declared('live', symbols));
    await this.seed(account, new Symbols(), needed, () => false);
    return pictureOf(account);
  }

  /** What the plan is held against, with the access tests of the desired files; null where nothing is asked of access. */
  access(symbols: Symbols): ReconcileOptions['access'] | null {
    const { gates, allow = [] } = this.options;
    if (gates === undefined) return null;
    return gatesFor(gates, this.#loaded('desired', symbols).accessTests, allowances(allow));
  }

  /** The objects that `<name>.yaml`, or the files of the folder `<name>`, declare. */
  declared(name: string, symbols: Symbols): readonly Desired[] {
    return this.#loaded(name, symbols).desired;
  }

  #loaded(name: string, symbols: Symbols): Loaded {
    const folder = new URL(`${name}/`, this.#folder);
    const files = existsSync(folder)
      ? readdirSync(folder)
          .sort()
          .map(file => `${name}/${file}`)
      : [`${name}.yaml`].filter(file => existsSync(new URL(file, this.#folder)));
    if (files.length === 0) return loadFiles({});
    const texts = files.map(file => [file, symbols.fill(this.#text(file) ?? '')]);
    const loaded = loadFiles(Object.fromEntries(texts));
    expect(loaded.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    return loaded;
  }

  hasFile(file: string): boolean {
    return existsSync(new URL(file, this.#folder));
  }

  expectFile(file: string, text: string): void {
    if (BLESS) writeFileSync(new URL(file, this.#folder), text);
    expect(text).toBe(this.#text(file));
  }

  /** The writes, in order, where the story says that they matter. */
  expectRequests(lines: readonly string[]): void {
    if (this.#text('requests.txt') !== undefined)
      this.expectFile('requests.txt', lines.map(line => `${line}\n`).join(''));
  }

  #text(file: string): string | undefined {
    const url = new URL(file, this.#folder);
    return existsSync(url) ? readFileSync(url, 'utf8') : undefined;
  }
}

async function takeStep(account: TestAccount, symbols: Symbols, written: Step): Promise<void> {
  symbols.learn(await pictureOf(account));
  const step: Step = JSON.parse(symbols.fill(JSON.stringify(written)));
  if ('peer' in step) await account.enrol(step.peer, step.groups);
  else await account.call(step.method, step.path, step.body);
}

function reconcileOptions({
  allow = [],
  direct: _,
  unavailable: __,
  gates: ___,
  ...rest
}: Options): ReconcileOptions {
  return {
    ...rest,
    allow: allowances(allow),
    concurrency: 1,
  };
}

const allowances = (allow: readonly string[]) =>
  allow.map(text => present(allowance(text), `the hazard ${text}`));

function textOf(made: Plan): string {
  const found = diagnosticsText(made.diagnostics, PLAIN);
  // A new kind is one more request in most plans; test/pipeline/ counts them.
  const text = planText(made, KINDS, PLAIN).replace(/\d+ requests? made/, '… requests made');
  return hasErrors(made.diagnostics) ? found : `${found}${text}`;
}

function documentText(made: Plan): string {
  const document = planDocument(made, KINDS);
  // They move with every change of the format: test/report/digest.test.ts proves them.
  const masked = ['digest', 'content_digest', 'made'];
  const mask = (name: string, value: Json) => (masked.includes(name) ? `<${name}>` : value);
  return `${JSON.stringify(document, mask, 2)}\n`;
}

function writes(account: TestAccount, from: number): string[] {
  return account.requests
    .slice(from)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
}

/** What the plan does not speak of is as it was, by id and field by field. */
function expectKept(before: readonly Pictured[], after: readonly Pictured[], made: Plan): void {
  const spoken = new Set(made.changes.map(({ id }) => id));
  const untouched = before.filter(({ live }) => !spoken.has(live.id));
  const kept = new Map(after.map(({ live, idFields }) => [live.id, idFields]));
  for (const { name, live, idFields } of untouched)
    expect(kept.get(live.id), name).toEqual(idFields);
  const stays = made.changes.flatMap(({ type, id }) => (type === 'update' && id ? [id] : []));
  expect(
    stays.filter(id => !kept.has(id)),
    'an update keeps the id',
  ).toEqual([]);
}

// What a declared object would come to may be there in the form of another kind's.
function isInstead({ live, fields }: Pictured, { kind, key }: Desired): boolean {
  const { fulfilledBy } = present(KINDS.get(kind), kind);
  return live.kind === fulfilledBy?.kind && fields[fulfilledBy.field] === key;
}

/** Every declared field is as declared, and as it would be had the account been made this way from the start. */
function expectHeld(
  desired: readonly Desired[],
  after: readonly Pictured[],
  direct: readonly Pictured[] | null,
): void {
  for (const object of standing(desired)) {
    const name = `${object.kind}.${object.key}`;
    const kind = present(KINDS.get(object.kind), `the kind ${object.kind}`);
    const found =
      after.find(({ live }) => live.id === object.lifecycle.id) ??
      after.find(other => other.name.replace(/#\d+$/, '') === name || isInstead(other, object));
    expect(found?.name, `${name} is in the account`).toBeDefined();
    if (!direct) continue;
    const wanted = direct.find(other => other.name === name)?.fields ?? {};
    const declared = canonicalFields(kind.shape, object.fields, 'desired');
    for (const field of Object.keys(declared)) {
      if (object.lifecycle.ignore?.includes(field)) continue;
      const isShared =
        kind.shape.fields.get(field)?.shared && !object.lifecycle.exact?.includes(field);
      const have = found?.fields[field];
      const want = wanted[field];
      if (isShared && isList(have) && isList(want))
        expect(want.filter(member => !have.includes(member))).toEqual([]);
      else expect(have, `${name} ${field}`).toEqual(want);
    }
  }
}
