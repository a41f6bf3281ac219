// The GitLab component under gitlab-ci-local: plan with a note, apply with a recorded base, drift as JUnit.
import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startAccount } from '../support/account.ts';
import type { Bench } from './bench.ts';
import { NOTES_TOKEN, startApi } from './gitlab/api.ts';
import type { Part, Step } from './part.ts';

const MERGE_REQUEST = {
  CI_PIPELINE_SOURCE: 'merge_request_event',
  CI_MERGE_REQUEST_IID: '3',
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '1217',
  CI_PROJECT_ID: '1217',
};

export const gitlab: Part = {
  tools: ['gitlab-ci-local', 'rsync'],
  notRun: [
    'protected environments and variables, resource groups, and the widgets that show JUnit and plan reports',
    'the image of the component: jobs run in a shell',
    'the jobs about observed traffic: tests run their scripts on a stand-in for the API',
  ],
  open: async bench => {
    const [account, api] = await Promise.all([startAccount(), startApi()]);
    bench.onEnd(account.close);
    bench.onEnd(api.close);
    const groups = Object(await account.call('GET', '/api/groups'));
    const { folder, origin, git, include, run, commit, artifacts } = await newProject(bench, {
      account: String(groups[0].id),
      variables: {
        MESHFORM_READER: account.token,
        MESHFORM_WRITER: account.token,
        MESHFORM_NOTES_TOKEN: NOTES_TOKEN,
        CI_API_V4_URL: api.url,
      },
      url: account.url,
    });
    const names = async () => {
      const list = Object(await account.call('GET', '/api/groups'));
      return list.map((group: { name: string }) => group.name).sort();
    };
    /** The applied revision that the base at the remote names. */
    const recorded = async () => {
      const at = ['--git-dir', origin, 'for-each-ref', '--format=%(parent)', 'refs/meshform-base'];
      return (await git(...at)).stdout.replace(/ .*/, '');
    };
    const steps: Readonly<Record<string, Step>> = {
      'a merge request gets a plan and a note, and a forged note is left alone': async () => {
        await commit('groups: [{ name: one }]');
        api.notes.push({ id: 1, author: { id: 1 }, body: '<!-- meshform-note network --> forged' });
        await run(['meshform-validate', 'meshform-plan'], MERGE_REQUEST);
        assert.match(api.notes[1]?.body ?? '', /\*\*Plan: 1 to add/);
        const head = (await git('rev-parse', '--short=12', 'HEAD')).stdout.trim();
        assert.ok(api.notes[1]?.body.endsWith(`\n<sub>commit ${head}</sub>\n`));
        assert.match(api.notes[0]?.body ?? '', /forged/);
        const { 'counts.json': counts = '' } = await artifacts();
        assert.deepEqual(JSON.parse(counts), { create: 1, update: 0, delete: 0 });
        assert.deepEqual(await names(), ['All']);
      },
      'the next pipeline updates the note': async () => {
        await commit('groups: [{ name: one }, { name: two }]');
        await run(['meshform-plan'], MERGE_REQUEST);
        assert.equal(api.notes.length, 2);
        assert.match(api.notes[1]?.body ?? '', /\*\*Plan: 2 to add/);
      },
      'the note is found behind 350 notes of others': async () => {
        const [forged, own] = api.notes.splice(0);
        const others = Array.from({ length: 350 }, (_, index) => ({
          id: index + 10,
          author: { id: 1 },
          body: 'a remark',
        }));
        if (forged && own) api.notes.push(forged, ...others, own);
        await run(['meshform-plan'], MERGE_REQUEST);
        assert.equal(api.notes.length, 352);
        api.notes.splice(1, 350);
      },
      'a note that is refused is named, and changes no exit code': async () => {
        api.answerWith(403);
        const { stdout } = await run(['meshform-plan'], MERGE_REQUEST);
        api.answerWith(200);
        assert.match(stdout, /The note was not written/);
      },
      'the default branch is applied, and its base recorded': async () => {
        await run(['meshform-apply'], { CI_PIPELINE_SOURCE: 'push' });
        assert.deepEqual(await names(), ['All', 'one', 'two']);
        assert.equal(await recorded(), (await git('rev-parse', 'HEAD')).stdout);
      },
      'a branch that is behind removes nothing of what was merged since': async () => {
        const base = (await git('rev-parse', 'HEAD~1')).stdout.trim();
        await git('checkout', '--quiet', '-b', 'behind', base);
        await commit('groups: [{ name: one }, { name: three }]');
        const more = { CI_MERGE_REQUEST_DIFF_BASE_SHA: base };
        await run(['meshform-plan'], { ...MERGE_REQUEST, ...more });
        assert.match(api.notes[1]?.body ?? '', /\*\*Plan: 1 to add, 0 to change, 0 to destroy/);
        await git('checkout', '--quiet', 'main');
      },
      'the note of merged results names the commit of the branch': async () => {
        const source = (await git('rev-parse', 'behind')).stdout.trim();
        const onto = (await git('rev-parse', 'main')).stdout.slice(0, 12);
        await git('checkout', '--quiet', '--detach');
        await git('merge', '--quiet', '--no-ff', '--no-edit', '--strategy', 'ours', 'behind');
        await run(['meshform-plan'], {
          ...MERGE_REQUEST,
          CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: source,
        });
        const named = `commit ${source.slice(0, 12)} merged into the target branch at ${onto}`;
        assert.ok(api.notes[1]?.body.endsWith(`\n<sub>${named}</sub>\n`));
        await git('checkout', '--quiet', 'main');
      },
      'names that a shell would run are not run': async () => {
        const path = 'its: $(touch owned)`touch owned`; "network" \'*\' #$CI_PROJECT_ID';
        await git('mv', 'network', path);
        await include({ path, 'plan-args': '--prune removed --only group/*' });
        await commit('groups: [{ name: one }, { name: two }]', path);
        const base = (await git('rev-parse', 'HEAD')).stdout.trim();
        const more = { CI_MERGE_REQUEST_DIFF_BASE_SHA: base };
        await run(['meshform-validate', 'meshform-plan'], { ...MERGE_REQUEST, ...more });
        const found = await bench.run('find', [folder, '-name', 'owned*']);
        assert.equal(found.stdout, '');
        assert.ok(api.notes.at(-1)?.body.startsWith(`<!-- meshform-note ${path} -->`));
        await git('mv', path, 'network');
        await include({});
        await commit('groups: [{ name: one }, { name: two }]');
      },
      'a variable of the pipeline does not choose what gets the token, or what a program runs':
        async () => {
          const asked = account.requests.length;
          for (const name of ['MESHFORM_URL', 'MESHFORM_COMMAND']) {
            const more = { ...MERGE_REQUEST, [name]: 'http://127.0.0.1:1' };
            const { stdout, stderr } = await run(['meshform-plan'], more, 1);
            assert.match(`${stdout}${stderr}`, new RegExp(`the variable ${name} differs`));
          }
          assert.equal(account.requests.length, asked);
          const code = "import('node:fs').then(fs => fs.writeFileSync('owned', ''))";
          const given = {
            NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
            GIT_CONFIG_COUNT: '1',
            GIT_CONFIG_KEY_0: 'url.http://127.0.0.1:1/.insteadOf',
            GIT_CONFIG_VALUE_0: 'https://gitlab.example.com/',
          };
          await run(['meshform-plan'], { ...MERGE_REQUEST, ...given });
          const found = await bench.run('find', [folder, '-name', 'owned*']);
          assert.equal(found.stdout, '');
        },
      'the secret of an incomplete apply is in no artifact, note or log': async () => {
        const secrets = join(bench.scratch, 'secrets.json');
        const flags = '--prune removed --allow DELETES_OBJECT --secrets-to file:';
        await include({ 'plan-args': `${flags}${secrets}` });
        const key = 'setup_keys: [{ name: ci, type: reusable, expires_in: 86400 }]';
        await commit(`groups: [{ name: one }, { name: two }, { name: refused }]\n${key}`);
        const fault = { method: 'POST', path: '/api/groups', effect: 'status', status: 422 };
        await account.fault({ ...fault, times: 1 });
        const { stdout, stderr } = await run(['meshform-apply'], { CI_PIPELINE_SOURCE: 'push' }, 1);
        const kept = await artifacts();
        assert.ok(Object.keys(kept).some(name => name.endsWith('.jsonl')));
        const [secret = ''] = /[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}/i.exec(
          await readFile(secrets, 'utf8'),
        ) ?? [''];
        assert.notEqual(secret, '');
        const shown = [stdout, stderr, JSON.stringify(kept), JSON.stringify(api.notes)].join('\n');
        assert.ok(!shown.toLowerCase().includes(secret.toLowerCase()), 'the secret is shown');
        await include({});
        await commit('groups: [{ name: one }, { name: two }]');
        await run(['meshform-apply'], { CI_PIPELINE_SOURCE: 'push' });
      },
      'where the job may not push, MESHFORM_PUSH_URL is for the lock and the base': async () => {
        await git('config', 'url./nowhere/.pushInsteadOf', 'https://gitlab.example.com/');
        const push = { CI_PIPELINE_SOURCE: 'push' };
        await git('commit', '--quiet', '--allow-empty', '--message', 'Another change');
        const { stdout, stderr } = await run(['meshform-apply'], push, 1);
        assert.match(`${stdout}${stderr}`, /--lock file/);
        await run(['meshform-apply'], { ...push, MESHFORM_PUSH_URL: origin });
        assert.equal(await recorded(), (await git('rev-parse', 'HEAD')).stdout);
        await git('config', '--unset', 'url./nowhere/.pushInsteadOf');
      },
      'with `lock: file`, the jobs fetch the base and push it': async () => {
        await include({ lock: 'file' });
        await commit('groups: [{ name: one }, { name: two }, { name: here }]');
        await run(['meshform-apply'], { CI_PIPELINE_SOURCE: 'push' });
        assert.equal(await recorded(), (await git('rev-parse', 'HEAD')).stdout);
        // In a clone without bases, as a runner has it: the removal is known from the base that was pushed.
        const bases = await git('for-each-ref', '--format=%(refname)', 'refs/meshform-base');
        for (const ref of bases.stdout.split('\n').filter(Boolean))
          await git('update-ref', '-d', ref);
        await commit('groups: [{ name: one }, { name: two }]');
        await run(['meshform-apply'], { CI_PIPELINE_SOURCE: 'push' });
        assert.deepEqual(await names(), ['All', 'one', 'two']);
        await include({});
        await commit('groups: [{ name: one }, { name: two }]');
      },
      'a plan that fails replaces the note': async () => {
        const count = api.notes.length;
        await commit('groups: [{ nam: one }]');
        await run(['meshform-plan'], MERGE_REQUEST, 1);
        assert.equal(api.notes.length, count);
        const [, why, ...rest] = (api.notes[1]?.body ?? '').split('\n');
        assert.equal(why, '> ❌ `plan` ended with exit code 3.');
        assert.ok(rest.includes('### meshform plan'));
        assert.match(rest.join('\n'), /^network\/network\.yaml:1:\d+ error SCHEMA_/m);
        await commit('groups: [{ name: one }, { name: two }]');
        await run(['meshform-plan'], MERGE_REQUEST);
        assert.match(api.notes[1]?.body ?? '', /\*\*No changes/);
      },
      'a schedule reports drift as JUnit, and fails': async () => {
        const list = Object(await account.call('GET', '/api/groups'));
        const one = list.find((group: { name: string }) => group.name === 'one');
        await account.call('DELETE', `/api/groups/${one.id}`);
        await run(['meshform-drift'], { CI_PIPELINE_SOURCE: 'schedule' }, 1);
        assert.match((await artifacts())['drift.xml'] ?? '', /failures="1"/);
      },
    };
    return steps;
  },
};

interface Project {
  readonly account: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly url: string;
}

/** A project that includes the component of its own repository, as gitlab-ci-local resolves it. */
async function newProject(bench: Bench, { account, variables, url }: Project) {
  const folder = join(bench.scratch, 'project');
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=Mia', '-c', 'user.email=mia@example.com'];
    return bench.run('git', [...who, ...args], { cwd: folder });
  };
  await mkdir(join(folder, 'network'), { recursive: true });
  await cp(join(bench.root, 'templates'), join(folder, 'templates'), { recursive: true });
  const origin = join(bench.scratch, 'origin.git');
  await bench.run('git', ['init', '--quiet', '--bare', origin]);
  await git('init', '--quiet', '--initial-branch', 'main');
  const remote = 'https://gitlab.example.com/example/network.git';
  await git('config', `url.${origin}.insteadOf`, remote);
  await git('remote', 'add', 'origin', remote);
  await writeFile(join(folder, '.gitignore'), '.gitlab-ci-local/\nmeshform-*/\n');
  await writeFile(join(folder, 'network/meshform.yaml'), `account: ${account}\n`);
  const program = `${process.execPath} ${join(bench.root, 'bin/meshform.js')}`;
  const include = (more: Readonly<Record<string, string>>) => {
    const inputs = { image: 'none', url, meshform: program, ...more };
    const component = '$CI_SERVER_FQDN/$CI_PROJECT_PATH/meshform@$CI_COMMIT_SHA';
    const pipeline = { include: [{ component, inputs }], stages: ['test', 'deploy'] };
    return writeFile(join(folder, '.gitlab-ci.yml'), JSON.stringify(pipeline));
  };
  await include({});
  return {
    folder,
    origin,
    git,
    include,
    commit: async (text: string, path = 'network') => {
      await writeFile(join(folder, path, 'network.yaml'), `${text}\n`);
      await git('add', '--all');
      await git('commit', '--quiet', '--message', 'A change');
      await git('push', '--quiet', 'origin', 'HEAD');
    },
    /** The files that the last jobs kept, by their names. */
    artifacts: async (): Promise<Readonly<Record<string, string>>> => {
      const all = await readdir(folder, { recursive: true, withFileTypes: true });
      const kept = all.filter(
        file => file.isFile() && /\/meshform-\d+(?:\/|$)/.test(file.parentPath),
      );
      const texts = kept.map(async ({ name, parentPath }) => [
        name,
        await readFile(join(parentPath, name), 'utf8'),
      ]);
      return Object.fromEntries(await Promise.all(texts));
    },
    run: async (jobs: readonly string[], more: Readonly<Record<string, string>>, exit = 0) => {
      // A runner removes what earlier jobs have left.
      for (const name of await readdir(folder))
        if (/^meshform-\d+$/.test(name)) await rm(join(folder, name), { recursive: true });
      const given = Object.entries({ ...variables, ...more }).flatMap(([name, value]) => [
        '--variable',
        `${name}=${value}`,
      ]);
      const flags = ['--force-shell-executor', '--no-color', ...given];
      const env = { ...bench.env, HOME: bench.scratch };
      return bench.run(bench.tool('gitlab-ci-local'), [...flags, ...jobs], {
        cwd: folder,
        env,
        exit,
      });
    },
  };
}
