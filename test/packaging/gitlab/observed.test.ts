// The jobs of the GitLab component about observed traffic: which store is continued, and what becomes a merge request.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jobsWith, newProject } from './component.ts';

const API = 'https://gitlab.example.com/api/v4/projects/5';
const GIT = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
const TOKENS = { MESHFORM_STORE_TOKEN: 'glpat-store', MESHFORM_MERGE_TOKEN: 'glpat-merge' };

// Notes each call, and answers with the file of the address.
const curl = (folder: string) => `out= url= method=
echo "curl $*" >> '${folder}/calls'
while [ $# -gt 0 ]; do
  case "$1" in --output) out="$2"; shift ;; --request) method="$2"; shift ;; --data* | --header) shift ;; http*) url="$1" ;; esac
  shift
done
cat >> '${folder}/signed'
answer="${folder}/$(printf '%s' "$method$url" | tr -c 'A-Za-z0-9\\n' '_')"
[ -f "$answer" ] || exit 22
cp "$answer" "$out"`;

interface ListedJob {
  readonly id: number;
  readonly name?: string;
  readonly status?: string;
  readonly ref?: string;
  readonly tag?: boolean;
  readonly isExpired?: boolean;
}

/** A project with pipelines on a server: by their numbers, newest first, their jobs. */
function newForge(pipelines: readonly (readonly [number, readonly ListedJob[]])[] = [], more = {}) {
  const project = newProject();
  const { at, program, run } = project;
  mkdirSync(at('forge'));
  program('curl', curl(at('forge')));
  const answer = (url: string, body: unknown) => {
    const file = at('forge', url.replaceAll(/[^A-Za-z0-9]/g, '_'));
    writeFileSync(file, typeof body === 'string' ? body : JSON.stringify(body));
  };
  const list = pipelines.map(([id]) => ({ id, source: 'schedule', ref: 'main', ...more }));
  answer(`${API}/pipelines?source=schedule&ref=main&per_page=100`, list);
  for (const [id, jobs] of pipelines)
    answer(
      `${API}/pipelines/${id}/jobs?scope[]=success&per_page=100`,
      jobs.map(({ isExpired = false, ...job }) => ({
        name: 'meshform-observe',
        status: 'success',
        ref: 'main',
        tag: false,
        artifacts: [{ file_type: 'trace' }, ...(isExpired ? [] : [{ file_type: 'archive' }])],
        ...job,
      })),
    );
  /** The store that a job kept. */
  const keep = (job: number) => {
    mkdirSync(at(`store-${job}`));
    writeFileSync(at(`store-${job}`, 'looks'), `of job ${job}\n`);
    const file = at('forge', 'store.tar');
    spawnSync('tar', ['-c', '-f', file, '-C', at(`store-${job}`), '.']);
    const url = `${API}/jobs/${job}/artifacts/meshform-${job}/traffic.tar`;
    spawnSync('cp', [file, at('forge', url.replaceAll(/[^A-Za-z0-9]/g, '_'))]);
  };
  const noted = (name: string) =>
    existsSync(at('forge', name)) ? readFileSync(at('forge', name), 'utf8') : '';
  return {
    ...project,
    answer,
    keep,
    noted,
    run: (job: string, variables: Readonly<Record<string, string>> = {}) =>
      run(job, {}, { CI_DEFAULT_BRANCH: 'main', ...TOKENS, ...variables }),
  };
}

// Continues the store that it is given, and notes the tokens that it gets.
const observing = (tokens: string) =>
  `mkdir -p "$3"\necho "looked" >> "$3/looks"\nenv | grep -E 'nbp_|glpat' > '${tokens}'`;

/** What the job that observes puts into its artifact. */
function observed(forge: ReturnType<typeof newForge>) {
  forge.program('meshform', observing(forge.at('tokens')));
  const ended = forge.run('meshform-observe');
  const tar = spawnSync('tar', ['-x', '-O', '-f', 'traffic.tar', './looks'], {
    cwd: forge.at('checkout/meshform-17'),
    encoding: 'utf8',
  });
  return { ...ended, looks: tar.stdout, tokens: readFileSync(forge.at('tokens'), 'utf8') };
}

test('the store of the newest job is used, and a store that has expired is skipped', () => {
  const forge = newForge([
    [30, []],
    [29, [{ id: 290, isExpired: true }]],
    [28, [{ id: 280 }]],
    [27, [{ id: 270 }]],
  ]);
  forge.keep(280);
  forge.keep(270);
  const { status, stderr, looks, tokens } = observed(forge);
  expect(status, stderr).toBe(0);
  expect(looks).toBe('of job 280\nlooked\n');
  expect(tokens).toBe('MESHFORM_TOKEN=nbp_reader\n');
  expect(forge.noted('signed')).toMatch(/^(?:PRIVATE-TOKEN: glpat-store\n)+$/);
  expect(forge.noted('calls')).not.toContain('glpat');
});

test.each<[string, ListedJob, object]>([
  ['another branch', { id: 300, ref: 'feature' }, {}],
  ['a tag', { id: 300, tag: true }, {}],
  ['another job', { id: 300, name: 'forged' }, {}],
  ['a job that failed', { id: 300, status: 'failed' }, {}],
  ['a pipeline that somebody started', { id: 300 }, { source: 'web' }],
  ['a pipeline of another branch', { id: 300 }, { ref: 'feature' }],
])('no store of %s is used', (_, job, pipeline) => {
  const forge = newForge([[30, [job]]], pipeline);
  forge.keep(300);
  expect(observed(forge).looks).toBe('looked\n');
});

test('the log says that a new store begins if all stores have expired', () => {
  const forge = newForge([[30, [{ id: 300, isExpired: true }]]]);
  const { status, stdout, looks } = observed(forge);
  expect({ status, looks }).toEqual({ status: 0, looks: 'looked\n' });
  expect(stdout).toContain('The stores of all earlier jobs have expired');
});

test('a store that cannot be read ends the job before anything is observed', () => {
  const unreadable = newForge([[30, [{ id: 300 }]]]);
  const damaged = newForge([[30, [{ id: 300 }]]]);
  damaged.answer(`${API}/jobs/300/artifacts/meshform-300/traffic.tar`, 'no archive');
  for (const forge of [unreadable, damaged]) {
    forge.program('meshform', `touch '${forge.at('observed')}'`);
    const { status, stderr } = forge.run('meshform-observe');
    expect(status).toBe(1);
    expect(stderr).toContain('Error: the store of earlier jobs cannot be read.');
    expect(existsSync(forge.at('observed'))).toBe(false);
  }
});

test('only one job writes the store at a time, and both jobs are disabled by default', () => {
  for (const name of ['observe', 'tighten']) {
    const job = Object(jobsWith()[`meshform-${name}`]);
    expect(job.resource_group).toBe(`meshform-${name}`);
    expect(job.rules).toEqual([
      {
        if: '$CI_PIPELINE_SOURCE == "schedule" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && "false" == "true"',
      },
    ]);
  }
});

const REQUESTS = `${API}/merge_requests`;
const REPORT = '### meshform tighten\n$(touch owned) `x` "quotes"\n';

/** A checkout in which `tighten --write` makes these edits. */
function withFindings(edit: string, open: readonly unknown[] = []) {
  const forge = newForge([[30, [{ id: 300 }]]]);
  const { at, program, answer, run } = forge;
  forge.keep(300);
  const server = at('server.git');
  program('date', 'echo 1');
  program(
    'git',
    `exec '${GIT}' -c 'url.${server}.insteadOf=https://gitlab.example.com/n/network.git' "$@"`,
  );
  const git = (...argv: string[]) =>
    spawnSync(GIT, ['-c', 'user.name=Mia', '-c', 'user.email=mia@example.com', ...argv], {
      cwd: at('checkout'),
      encoding: 'utf8',
    });
  git('init', '--quiet', '--bare', server);
  git('init', '--quiet', '--initial-branch', 'main');
  mkdirSync(at('checkout/network'));
  for (const name of ['network/policies.yaml', 'other.txt'])
    writeFileSync(at('checkout', name), 'ports: ["80", "443"]\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  program(
    'meshform',
    `echo "$*" >> '${at('asked')}'\nenv | grep -c nbp_ >> '${at('asked')}'\n${edit}\nprintf '%s' '${REPORT}'`,
  );
  answer(REQUESTS, open);
  for (const call of [`POST${REQUESTS}`, `PUT${REQUESTS}/9`])
    answer(call, { web_url: 'https://gitlab.example.com/n/-/9' });
  const variables = {
    CI_SERVER_URL: 'https://gitlab.example.com',
    CI_PROJECT_URL: 'https://gitlab.example.com/n/network',
  };
  const propose = () => run('meshform-tighten', variables);
  const pushed = () => git('--git-dir', server, 'show', '--stat', 'meshform/tighten').stdout;
  return { ...forge, propose, pushed };
}

const EDIT = 'echo "ports: [443]" > network/policies.yaml\necho other > other.txt';

test.each<[string, readonly unknown[], string]>([
  ['no merge request is open', [], `--request POST .* ${REQUESTS}$`],
  ['one is open', [{ iid: 9 }], `--request PUT .* ${REQUESTS}/9$`],
])(
  'the edits of the files are proposed in the open merge request or in a new one if %s',
  (_, open, call) => {
    const { propose, pushed, noted, text, at } = withFindings(EDIT, open);
    const { status, stdout, stderr } = propose();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('https://gitlab.example.com/n/-/9\n');
    expect(noted('calls')).toMatch(new RegExp(call, 'm'));
    expect(noted('calls')).toContain(`description@${at('checkout/meshform-17/tighten.md')}`);
    expect(text('tighten.md')).toBe(REPORT);
    expect(pushed()).toContain('network/policies.yaml');
    expect(pushed()).not.toContain('other.txt');
    expect(noted('calls')).not.toContain('glpat');
    // The program gets no token at all: it only reads files.
    expect(readFileSync(at('asked'), 'utf8')).toMatch(
      /^tighten network --store \S+\/traffic --write --format comment\n0\n$/,
    );
  },
);

test('no merge request is opened if no file changed, and on other days the job does nothing', () => {
  const unchanged = withFindings(':');
  const { status, stdout } = unchanged.propose();
  expect({ status, stdout }).toMatchObject({ status: 0 });
  expect(stdout).toContain('No certain finding: there is nothing to propose.');
  expect(unchanged.noted('calls')).not.toContain('merge_requests');
  const otherDay = withFindings(EDIT);
  otherDay.program('date', 'echo 2');
  expect(otherDay.propose()).toMatchObject({ status: 0 });
  expect(otherDay.noted('calls')).toBe('');
});

test('no merge request is opened without a store', () => {
  const forge = newForge();
  forge.program('date', 'echo 1');
  const { status, stderr } = forge.run('meshform-tighten');
  expect(status).toBe(1);
  expect(stderr).toContain('no scheduled job meshform-observe has a store');
});
