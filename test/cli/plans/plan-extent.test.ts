// How much of a plan a command shows: what fits a screen, `--full`, `--summary`; how wide; and what the question of an apply stands under.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DRIFT_FORMATS } from '../../../src/report/driftFormats.ts';
import { PLAN_FORMATS } from '../../../src/report/planFormats.ts';
import { textWidth } from '../../../src/report/text/width.ts';
import { startAccount } from '../../support/account.ts';
import { type CliOptions, environmentOf, inFolder, meshform } from '../../support/cli.ts';

const COMPANY = new URL('../../../examples/company', import.meta.url).pathname;
const SECRETS = { HELPDESK_TOKEN: 'a', HELPDESK_QUEUE_KEY: 'b', CHAT_AUTHORIZATION: 'c' };
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

/** 500 groups, and a policy that lets everybody reach everything. */
const HIDDEN = `groups: [${numbers(500).map(i => `{ name: g${i} }`)}]
policies: [{ name: opener, rules: [{ name: r, sources: [All], destinations: [All], protocol: all }] }]
`;

type Run = (argv: readonly string[], options?: CliOptions) => ReturnType<typeof meshform>;

const folder = (files: string, use: (run: Run, cwd: string) => Promise<void>) =>
  inFolder(async cwd => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    await writeFile(join(cwd, 'network.yaml'), files);
    const base = environmentOf(account);
    await use(
      (argv, { env, ...options } = {}) =>
        meshform(argv, { cwd, ...options, env: { ...base, ...env } }),
      cwd,
    );
  });

const linesOf = (text: string) => text.trimEnd().split('\n');

// A saved plan is shown as `plan` shows it, and is made once.
test('a first plan of the example company has under 300 lines, on a pipe and at 80 columns; --full has more, --summary one line per object', () =>
  inFolder(async cwd => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    const env = { ...environmentOf(account), ...SECRETS };
    const run = async (argv: readonly string[], columns?: string) => {
      const own = { ...env, ...(columns && { COLUMNS: columns }) };
      return (await meshform(argv, { cwd, env: own })).stdout;
    };
    const show = (flags: readonly string[], columns?: string) =>
      run(['show', 'plan.json', ...flags], columns);
    const planned = await run(['plan', COMPANY, '--out', 'plan.json']);
    const piped = await show([]);
    const narrow = await show([], '80');
    const wide = await show([], '200');
    for (const text of [planned, piped, wide]) expect(linesOf(text).length).toBeLessThan(300);
    expect(planned).toContain(
      'judged as if these groups had a routing machine: group/finance-gateways',
    );
    // Narrow lines are wrapped, and the example grows.
    expect(linesOf(narrow).length).toBeLessThan(330);
    expect(
      Math.max(
        ...linesOf(narrow)
          .filter(line => !/^ {2}# |^Digest/.test(line))
          .map(textWidth),
      ),
    ).toBeLessThanOrEqual(80);
    expect(Math.max(...linesOf(wide).map(textWidth))).toBeGreaterThan(120);
    expect(linesOf(piped).length).toBeLessThan(linesOf(wide).length);
    expect(linesOf(await show(['--full'])).length).toBeGreaterThan(1000);
    const [, declared] = /^(\d+) objects declared/m.exec(planned) ?? [];
    // Below are access and rights.
    const [objects = ''] = (await show(['--summary'])).split(/^Access: /m);
    expect(objects.match(/^ {2}[+~] .*$/gm)).toHaveLength(Number(declared));
  }));

test('a plan is as wide as the terminal, and as COLUMNS in a pipe', () =>
  folder(
    'groups: [{ name: a }]\npolicies: [{ name: p, description: "' +
      'word '.repeat(60) +
      '", rules: [{ name: r, sources: [a], destinations: [a], protocol: all }] }]',
    async run => {
      const widest = async (options: CliOptions) => {
        const { stdout } = await run(['plan'], options);
        const own = linesOf(stdout).filter(line => line.includes('word'));
        return Math.max(...own.map(textWidth));
      };
      expect(await widest({})).toBeGreaterThan(300);
      expect(await widest({ env: { COLUMNS: '60' } })).toBeLessThanOrEqual(60);
      expect(await widest({ env: { COLUMNS: 'wide' } })).toBeGreaterThan(300);
      expect(await widest({ isTerminal: true, env: { NO_COLOR: '1' } })).toBeLessThanOrEqual(80);
      expect(
        await widest({ isTerminal: true, columns: 120, env: { NO_COLOR: '1' } }),
      ).toBeLessThanOrEqual(120);
      expect(
        await widest({ isTerminal: true, columns: 120, env: { NO_COLOR: '1' } }),
      ).toBeGreaterThan(80);
    },
  ));

const WEBHOOK = `notification_channels:
  - type: webhook
    target: { url: "https://chat.example.com/hook", headers: { Authorization: "\${env:NOT_THERE}" } }
    event_types: [user.join]
`;

test('an empty line separates the findings and the plan on a terminal', () =>
  folder(WEBHOOK, async run => {
    const env = { NO_COLOR: '1', CI: '1' };
    const { stderr } = await run(['plan'], { isTerminal: true, env });
    expect(stderr).toMatch(/SECRET_UNDEFINED\n.*\n\n1 secret .*\n$/);
    expect((await run(['plan'])).stderr).toMatch(/SECRET_UNDEFINED\n.*[^\n]\n1 secret .*\n$/);
  }));

describe('among 500 harmless creates, the create that opens everything is shown', () => {
  const opens = /opener[\s\S]*sources += \["All"\][\s\S]*destinations += \["All"\]/;

  test('the create is shown by plan, by show of the saved plan, and above the prompt of an apply in each format', () =>
    folder(HIDDEN, async run => {
      const planned = await run(['plan', '--out', 'plan.json']);
      expect(planned.stdout).toMatch(opens);
      expect(planned.stdout).toContain(
        '\nNot everything is shown. To see all of it: meshform show plan.json --full\n',
      );
      expect((await run(['show', 'plan.json'])).stdout).toMatch(opens);
      expect(
        (await run(['show', 'plan.json', '--full'])).stdout.match(/will be created/g),
      ).toHaveLength(501);
      const asked = async (argv: readonly string[]) => {
        let question = '';
        const ended = await run(argv, {
          answer: 'no',
          onQuestion: text => {
            question = text;
          },
        });
        return `${ended.stdout}${question}`;
      };
      expect(await asked(['apply'])).toMatch(opens);
      expect(await asked(['apply'])).toContain('To see all of it: meshform plan --full\n');
      expect(await asked(['apply', 'plan.json'])).toMatch(opens);
      expect(await asked(['apply', '--format', 'json'])).toMatch(opens);
      expect(await asked(['apply', '--format', 'jsonl', '--summary'])).toContain(
        'opener: All → All  all, any port',
      );
    }));
});

test.each([
  ['--url', 'URL'],
  ['--url=', ''],
])('the command that shows everything has no password of an address, after %s', flag =>
  folder(HIDDEN, async (run, _) => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    const address = account.url.replace('://', '://user:hush@');
    const words = flag.endsWith('=') ? [`${flag}${address}`] : [flag, address];
    for (const format of ['text', 'markdown', 'comment']) {
      const argv = ['plan', '.', '--no-tests', '--format', format, ...words];
      const { stdout, stderr } = await run(argv);
      expect(stdout + stderr).not.toContain('hush');
      if (format === 'text') expect(stdout).toContain('://***@');
    }
  }),
);

test('the command that shows everything can be run as printed', () =>
  folder(HIDDEN, async run => {
    const { stdout } = await run(['plan', '.', '--summary', '--no-tests']);
    expect(stdout).not.toContain('To see all of it');
    const screen = await run(['plan', '.', '--no-tests']);
    const [, command = ''] = /To see all of it: meshform (.*)/.exec(screen.stdout) ?? [];
    expect(command).toBe('plan . --no-tests --full');
    expect((await run(command.split(' '))).stdout.match(/will be created/g)).toHaveLength(501);
  }));

test('--summary suggests a rename, as the full plan does', () => {
  const files = (name: string) => `groups: [{ name: ${name} }, { name: servers }]
policies: [{ name: p, rules: [{ name: r, sources: [${name}], destinations: [servers], protocol: all }] }]
`;
  return folder(files('devs'), async (run, cwd) => {
    expect((await run(['apply', '--yes'])).code).toBe(0);
    await writeFile(join(cwd, 'network.yaml'), files('developers'));
    for (const flags of [[], ['--summary']])
      expect((await run(['plan', ...flags])).stdout).toContain('renamed? add `was: devs`');
  });
});

test('--full and --summary exclude each other, and JSON accepts neither', () =>
  folder('groups: [{ name: a }]', async run => {
    expect((await run(['plan', '--full', '--summary'])).code).toBe(64);
    const json = async (...flags: string[]) =>
      (await run(['plan', '--format', 'json', ...flags])).stdout;
    expect(await json('--summary')).toBe(await json());
    expect(await json('--full')).toBe(await json());
  }));

test.each([
  ['plan', PLAN_FORMATS],
  ['show', PLAN_FORMATS],
  ['drift', DRIFT_FORMATS],
])('the formats of %s are those in the table', async (verb, formats) => {
  const { stdout } = await meshform([verb, '--help']);
  const [, choices = ''] =
    /--format <name>\s+output format \(choices: ([^)]*?),\s+default/.exec(stdout) ?? [];
  expect(choices.split(/,\s*/)).toEqual(Object.keys(formats).map(name => `"${name}"`));
});

test('drift without differences is short, however many objects are undeclared', () =>
  folder('groups: [{ name: a }]', async (run, cwd) => {
    await writeFile(
      join(cwd, 'network.yaml'),
      `groups: [${numbers(138).map(i => `{ name: g${i} }`)}]`,
    );
    await run(['apply', '--yes']);
    await writeFile(join(cwd, 'network.yaml'), 'groups: [{ name: g0 }]');
    const { stdout } = await run(['drift']);
    expect(linesOf(stdout).length).toBeLessThan(10);
    expect(stdout).toContain('  137 groups not declared: g1, g10, g100, g101, g102, … 132 more\n');
    expect(stdout).toContain('To see all of it: meshform drift --full\n');
    expect(linesOf(stdout).at(-1)).toBe('No drift.');
    expect((await run(['drift', '--summary'])).stdout).toContain('  137 groups not declared\n');
    expect((await run(['drift', '--full'])).stdout).toContain(', g99\n');
  }));

test('drift shows changes before missing objects, each in full', () =>
  folder(HIDDEN, async (run, cwd) => {
    await run(['apply', '--yes']);
    const others = `groups: [${numbers(530).map(i => `{ name: g${i} }`)}]\n`;
    await writeFile(
      join(cwd, 'network.yaml'),
      others + HIDDEN.split('\n')[1]?.replace('protocol: all', 'protocol: tcp, ports: ["22"]'),
    );
    const { stdout, code } = await run(['drift']);
    expect(code).toBe(2);
    const titles = stdout.match(/^ {2}# .*$/gm) ?? [];
    expect(titles[0]).toBe('  # policy.opener has changed in the account');
    expect(titles.filter(title => title.endsWith('is missing from the account'))).toHaveLength(30);
    const summary = (await run(['drift', '--summary'])).stdout;
    expect(summary).toContain('  ~ policy.opener: rules["r"].protocol, rules["r"].ports\n');
    expect(summary).toContain('  - group.g500: is missing from the account\n');
  }));
