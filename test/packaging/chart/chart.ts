// The Helm chart: linted, rendered with many values, checked against the schemas of Kubernetes; wrong values are refused.
import assert from 'node:assert/strict';
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Bench } from '../bench.ts';
import type { Part } from '../part.ts';
import { type Container, type CronJob, expanded, flags, isExpanded, jobsIn } from './chartJobs.ts';
import {
  ACCEPTED,
  APPLY,
  LEAST,
  OBSERVE,
  RECORDED,
  REFUSED,
  type Values,
  WORKERS,
} from './chartValues.ts';

const LOCKED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

/** Versions of Kubernetes whose schemas the rendered objects are checked against. */
const KUBERNETES = ['1.27', '1.34', '1.37'];

export const chart: Part = {
  tools: ['helm', 'kubernetes-validate'],
  notRun: [
    'a cluster: schedules, and volumes and pods of a kubelet; the part image runs the commands of the pods',
  ],
  open: async bench => {
    const { root, tool, run } = bench;
    const folder = join(root, 'charts/meshform');
    const helm = (command: readonly string[], values: Values, exit: number | 'any' = 0) =>
      run(tool('helm'), [...command, folder, ...flags(values)], { exit });
    const template = async (values: Values) => (await helm(['template', 'net'], values)).stdout;
    const jobs = async (values: Values) => jobsIn(await template(values));
    return {
      'lint finds nothing': async () => {
        for (const values of [...Object.values(ACCEPTED), OBSERVE, WORKERS])
          await helm(['lint', '--strict'], values);
      },
      'every rendering is valid for Kubernetes': () => validate(bench, template),
      'every job runs once, alone, and without rights': async () => {
        for (const values of Object.values(ACCEPTED)) (await jobs(values)).forEach(checkJob);
      },
      'drift runs by default, apply only if it is enabled': async () => {
        assert.deepEqual(namesOf(await jobs(LEAST)), ['net-drift']);
        assert.deepEqual(namesOf(await jobs(APPLY)), ['net-apply', 'net-drift']);
        const ending = { 'expire.enabled': true, 'expire.tokenSecret.name': 'meshform-writer' };
        const found = await jobs({ ...LEAST, ...ending });
        assert.deepEqual(namesOf(found), ['net-drift', 'net-expire']);
        assert.deepEqual(containerOf(found[1]).args, ['expire', '/desired/repository', '--yes']);
      },
      'the names of long releases are short enough, and stay different': async () => {
        const names = async (release: string) =>
          namesOf(jobsIn((await helm(['template', release], APPLY)).stdout));
        const one = await names(`${'a'.repeat(52)}1`);
        const two = await names(`${'a'.repeat(52)}2`);
        for (const name of [...one, ...two]) assert.ok(name.length <= 52, name);
        assert.equal(new Set([...one, ...two]).size, 4);
        assert.deepEqual(
          await names('b'.repeat(44)),
          ['apply', 'drift'].map(job => `${'b'.repeat(44)}-${job}`),
        );
      },
      'journals are on an emptyDir, or on a claim': () => checkJournals(jobs),
      'observe is one pod at a time that writes a claim': async () =>
        checkObserver(await template(OBSERVE)),
      'workers have the credentials of the fleet as files, and the database without a token':
        async () => checkWorkers(await template(WORKERS)),
      'secrets are references': () => checkSecrets(jobs),
      'git alone has the password of the repository': () => checkPassword(bench, jobs),
      'desired state is cloned, or an existing volume that is read-only': () => checkState(jobs),
      'an apply records its base at the remote, and no shell is around it': async () => {
        const [apply] = await jobs(RECORDED);
        const { command, args } = containerOf(apply);
        assert.equal(command, undefined);
        assert.deepEqual(args.slice(0, 2), ['apply', '/desired/repository']);
        for (const flag of ['--prune=removed', '--base=auto', '--record-base', '--yes'])
          assert.ok(args.includes(flag), flag);
        assert.doesNotMatch(cloneOf(apply), /refs\/meshform/);
        // Values of earlier versions have the account, which only a lock in a file needs.
        await jobs({ ...RECORDED, 'apply.recordBase.account': '' });
      },
      'whoever asks the remote signs in there, and no other container': async () => {
        const signsIn = async (values: Values) =>
          (await jobs({ ...values, 'desiredState.git.sshSecret': 'deploy-key' })).map(
            job =>
              containerOf(job).env.some(({ name }) => name === 'GIT_SSH_COMMAND') &&
              containerOf(job).volumeMounts.some(({ name }) => name === 'git-credentials'),
          );
        assert.deepEqual(await signsIn(RECORDED), [true, false]);
        assert.deepEqual(await signsIn(APPLY), [true, false]);
        assert.deepEqual(await signsIn({ ...APPLY, 'apply.lock': 'file' }), [false, false]);
        assert.deepEqual(await signsIn({ ...LEAST, 'drift.args[0]': '--base=auto' }), [true]);
      },
      'with `lock: file`, the base is fetched, and pushed only after the apply': async () => {
        const [apply] = await jobs({ ...RECORDED, 'apply.lock': 'file' });
        const { command, args } = containerOf(apply);
        assert.ok(args.includes('--lock=file'));
        assert.match(cloneOf(apply), /fetch .*refs\/meshform-base/);
        const script = await readFile(join(folder, 'files/apply-and-push.sh'), 'utf8');
        assert.deepEqual(command?.map(expanded), ['sh', '-euc', script, 'sh']);
        assert.deepEqual(args.slice(0, 2), ['apply', '/desired/repository']);
        for (const flag of ['--prune=removed', '--base=auto', '--record-base', '--yes'])
          assert.ok(args.includes(flag), flag);
      },
      'wrong values are refused by the schema': async () => {
        for (const [path, values] of REFUSED) {
          const { code, stderr } = await helm(['template', 'net'], values, 'any');
          const about = `${path}: ${JSON.stringify(values)}\n${stderr}`;
          assert.notEqual(code, 0, `not refused: ${about}`);
          assert.match(stderr, /don't meet the specifications of the schema/, about);
          assert.ok(stderr.includes(path.replaceAll('.', '/')), about);
        }
      },
      'the notes name the jobs and what is off': () => checkNotes(bench, folder),
      'versions are those of the package': async () => {
        const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
        const text = await readFile(join(folder, 'Chart.yaml'), 'utf8');
        assert.match(text, new RegExp(`^appVersion: ${version}$`, 'm'));
      },
    };
  },
};

async function validate(
  { run, tool, scratch }: Bench,
  template: (values: Values) => Promise<string>,
): Promise<void> {
  const files = Object.entries({ ...ACCEPTED, observe: OBSERVE, workers: WORKERS }).map(
    async ([name, values]) => {
      const file = join(scratch, `${name.replaceAll(/\W/g, '-')}.yaml`);
      await writeFile(file, await template(values));
      return file;
    },
  );
  const args = ['--strict', '--quiet', ...(await Promise.all(files))];
  for (const version of KUBERNETES)
    await run(tool('kubernetes-validate'), ['-k', version, ...args]);
}

const namesOf = (jobs: readonly CronJob[]) => jobs.map(({ metadata }) => metadata.name);

function podOf(job: CronJob | undefined) {
  assert.ok(job);
  return job.spec.jobTemplate.spec.template.spec;
}

const containerOf = (job: CronJob | undefined): Container => podOf(job).containers[0];

/** The script of the container that clones the desired state. */
const cloneOf = (job: CronJob | undefined): string =>
  podOf(job).initContainers?.[0]?.args.join('\n') ?? '';

/** The one container of a Deployment, and its pod. */
function deployed(rendered: string) {
  const { kind, spec } = parse(rendered);
  assert.equal(kind, 'Deployment');
  const pod = spec.template.spec;
  assert.equal(pod.automountServiceAccountToken, false);
  assert.equal(pod.securityContext.runAsNonRoot, true);
  const [container] = pod.containers;
  assert.deepEqual(container.securityContext, LOCKED);
  for (const [label, value] of Object.entries(spec.selector.matchLabels))
    assert.equal(spec.template.metadata.labels[label], value);
  return { spec, pod, container };
}

function checkWorkers(rendered: string): void {
  const { spec, pod, container } = deployed(rendered);
  assert.equal(spec.replicas, 3);
  assert.equal(pod.terminationGracePeriodSeconds, 600);
  assert.equal(pod.initContainers.length, 1);
  const command = ['fleet', 'worker', '/desired/repository', '--health=8080', '--at-once=8'];
  assert.deepEqual(container.args, command);
  const of = (name: string) =>
    container.env.find((one: { readonly name: string }) => one.name === name);
  const reference = (name: string, key: string) => ({ secretKeyRef: { name, key } });
  assert.deepEqual(of('MESHFORM_DATABASE_URL').valueFrom, reference('fleet-database', 'url'));
  assert.deepEqual(of('PGPASSWORD').valueFrom, reference('fleet-database', 'password'));
  assert.deepEqual(of('MESHFORM_SIGNING_KEY').valueFrom, reference('signing', 'key'));
  assert.deepEqual(of('ACME_TOKEN').valueFrom, reference('acme', 'token'));
  assert.equal(of('MESHFORM_TOKEN'), undefined);
  assert.equal(of('MESHFORM_FLEET_CREDENTIALS').value, '/fleet-credentials/credentials.yaml');
  const mount = container.volumeMounts.find(
    (one: { readonly name: string }) => one.name === 'fleet-credentials',
  );
  const mountPath = '/fleet-credentials';
  assert.deepEqual(mount, { name: 'fleet-credentials', mountPath, readOnly: true });
  assert.deepEqual(container.readinessProbe.httpGet, { path: '/healthz', port: 'health' });
  assert.deepEqual(container.livenessProbe.tcpSocket, { port: 'health' });
}

function checkObserver(rendered: string): void {
  const { spec, pod, container } = deployed(rendered);
  assert.deepEqual([spec.replicas, spec.strategy], [1, { type: 'Recreate' }]);
  const command = [
    'observe',
    '--store=/traffic/store',
    '--follow',
    '--ca-file=/ca/ca.crt',
    '--keep=90d',
  ];
  assert.deepEqual(container.args, command);
  const claim = { persistentVolumeClaim: { claimName: 'meshform-traffic' } };
  assert.deepEqual(pod.volumes[0], { name: 'traffic', ...claim });
}

function checkJob(job: CronJob): void {
  assert.equal(job.spec.concurrencyPolicy, 'Forbid');
  assert.equal(job.spec.jobTemplate.spec.backoffLimit, 0);
  const pod = podOf(job);
  assert.equal(pod.automountServiceAccountToken, false);
  assert.equal(pod.restartPolicy, 'Never');
  assert.equal(pod.securityContext.runAsNonRoot, true);
  for (const { securityContext } of [...(pod.initContainers ?? []), ...pod.containers])
    assert.deepEqual(securityContext, LOCKED);
}

type Render = (values: Values) => Promise<readonly CronJob[]>;

/** helm prints the notes only with a cluster: here the chart renders them as a field of an object. */
async function checkNotes({ run, tool, scratch }: Bench, folder: string): Promise<void> {
  const copy = join(scratch, 'chart');
  await cp(folder, copy, { recursive: true });
  await rename(join(copy, 'templates/NOTES.txt'), join(copy, 'NOTES.txt'));
  const object = 'text: {{ tpl (.Files.Get "NOTES.txt") . | toJson }}\n';
  await writeFile(join(copy, 'templates/notes.yaml'), object);
  const notes = async (values: Values) =>
    (await run(tool('helm'), ['template', 'net', copy, ...flags(values)])).stdout;
  const least = await notes(LEAST);
  assert.match(least, /cronjob\/net-drift/);
  assert.match(least, /apply\.enabled is false/);
  assert.match(await notes(APPLY), /need journals\.claim/);
  assert.doesNotMatch(await notes({ ...APPLY, 'journals.claim': 'kept' }), /need journals/);
  assert.doesNotMatch(await notes(RECORDED), /need journals/);
  assert.match(await notes({ ...RECORDED, 'apply.lock': 'file' }), /need journals/);
}

async function checkJournals(jobs: Render): Promise<void> {
  const volume = async (values: Values) =>
    podOf((await jobs(values))[0]).volumes.find(one => one.name === 'journals');
  assert.deepEqual(await volume(APPLY), { name: 'journals', emptyDir: {} });
  assert.deepEqual(await volume({ ...APPLY, 'journals.claim': 'kept' }), {
    name: 'journals',
    persistentVolumeClaim: { claimName: 'kept' },
  });
  const { env } = containerOf((await jobs(APPLY))[0]);
  assert.equal(env.find(({ name }) => name === 'MESHFORM_JOURNALS')?.value, '/journals');
}

async function checkSecrets(jobs: Render): Promise<void> {
  const [apply, drift] = await jobs(ACCEPTED.everything ?? {});
  const of = (job: CronJob | undefined, name: string) =>
    containerOf(job).env.find(one => one.name === name);
  const reference = (name: string, key: string) => ({ secretKeyRef: { name, key } });
  assert.deepEqual(of(apply, 'MESHFORM_TOKEN')?.valueFrom, reference('meshform-writer', 'token'));
  assert.deepEqual(of(drift, 'MESHFORM_TOKEN')?.valueFrom, reference('meshform-reader', 'token'));
  assert.deepEqual(of(apply, 'SOPS_AGE_KEY')?.valueFrom, reference('sops', 'age'));
  assert.equal(of(drift, 'SOPS_AGE_KEY'), undefined);
  const services = 'hc_vault=https://vault.example.com,azure_kv=https://example.vault.azure.net';
  for (const job of [apply, drift]) assert.equal(of(job, 'MESHFORM_SOPS_ALLOW')?.value, services);
  assert.equal(of(apply, 'MESHFORM_SIGNING_KEY'), undefined);
  const signed = await jobs({ ...ACCEPTED.everything, 'signingKeySecret.name': 'signing' });
  for (const job of signed)
    assert.deepEqual(of(job, 'MESHFORM_SIGNING_KEY')?.valueFrom, reference('signing', 'key'));
  for (const [name, text] of [
    ['OFFICE', 'a value: with "quotes" and $(MESHFORM_TOKEN)'],
    ['ESCAPED', '$$(MESHFORM_TOKEN) $$ $'],
  ]) {
    const value = of(drift, `MESHFORM_VAR_${name}`)?.value ?? '';
    assert.ok(!isExpanded(value), value);
    assert.equal(expanded(value), text);
  }
}

/** git reads the files of the secret, at the server of the repository only; no variable has what they contain. */
async function checkPassword({ run, scratch }: Bench, jobs: Render): Promise<void> {
  const [apply] = await jobs(ACCEPTED['a recorded base, over https'] ?? {});
  const containers = [...(podOf(apply).initContainers ?? []), containerOf(apply)];
  assert.equal(containers.length, 2);
  const files = join(scratch, 'git-credentials');
  await mkdir(files);
  await writeFile(join(files, 'username'), 'robot\n');
  await writeFile(join(files, 'password'), 'p"a$s\n');
  for (const { env, volumeMounts } of containers) {
    assert.ok(env.every(({ valueFrom }) => valueFrom?.secretKeyRef.name !== 'robot'));
    const mount = volumeMounts.find(({ name }) => name === 'git-credentials');
    assert.deepEqual(mount, {
      name: 'git-credentials',
      mountPath: '/git-credentials',
      readOnly: true,
    });
    assert.ok(env.every(({ value = '' }) => !isExpanded(value)));
    const variables = Object.fromEntries(
      env.map(({ name, value = '' }) => [
        name,
        expanded(value).replaceAll('/git-credentials', files),
      ]),
    );
    const asked = async (host: string, exit: number) => {
      const command = `printf 'protocol=https\\nhost=${host}\\n\\n' | git credential fill`;
      return (await run('sh', ['-c', command], { env: { ...process.env, ...variables }, exit }))
        .stdout;
    };
    assert.match(await asked('git.example.com', 0), /username=robot\npassword=p"a\$s\n/);
    assert.doesNotMatch(await asked('other.example.com', 128), /robot/);
  }
}

async function checkState(jobs: Render): Promise<void> {
  const [cloned] = await jobs(LEAST);
  assert.equal(podOf(cloned).initContainers?.length, 1);
  assert.deepEqual(containerOf(cloned).args, ['drift', '/desired/repository']);
  const [mounted] = await jobs(ACCEPTED['an existing volume'] ?? {});
  assert.equal(podOf(mounted).initContainers, undefined);
  const mount = containerOf(mounted).volumeMounts.find(({ name }) => name === 'desired');
  assert.deepEqual(mount, { name: 'desired', mountPath: '/desired', readOnly: true });
}
