// Runs the pods of a rendered CronJob in the unpacked image: the same commands, variables, mounts and user as in a cluster. What
// it stands in for: the kubelet, and the server of the git repository, for which a bare repository in a folder answers.
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import type { Unpacked } from '../contained.ts';
import { type Container, type CronJob, expanded } from './chartJobs.ts';

export interface Cluster {
  /** By the name of a secret and a key in it. */
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The bare repository that answers for the address in the values. */
  readonly repository: string;
  readonly address: string;
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

// A runtime makes the places of mounts in the image before the root is read-only.
const SCRIPT = `#!/bin/sh
set -e
image=$1 user=$2
shift 2
mount --bind "$image" "$image"
while [ "$1" != -- ]; do
  mkdir -p "$image$2"
  mount --bind "$1" "$image$2"
  [ "$3" = rw ] || mount -o "remount,bind,$3" "$image$2"
  shift 3
done
shift
mount -o remount,bind,ro "$image"
mount --rbind /dev "$image/dev"
mount --rbind /proc "$image/proc"
exec chroot "--userspec=$user" "$image" /bin/sh -c 'cd /work && exec "$@"' sh "$@"
`;

/** Runs the containers of the job's pod in order. Ends with the first that fails, as a pod does. */
export async function runPod(
  bench: Bench,
  unpacked: Unpacked,
  job: CronJob,
  cluster: Cluster,
): Promise<Ended> {
  const { initContainers = [], containers, securityContext, volumes } = podOf(job);
  const folder = join(bench.scratch, `pod-${++pods}`);
  const user = `${securityContext.runAsUser}:${securityContext.runAsGroup}`;
  await mkdir(folder);
  for (const { name } of volumes) {
    await mkdir(join(folder, name));
    await chown(join(folder, name), securityContext.runAsUser, securityContext.runAsGroup);
  }
  const script = join(folder, 'run.sh');
  await writeFile(script, SCRIPT);
  await chmod(script, 0o755);
  let output = '';
  for (const container of [...initContainers, ...containers]) {
    const mounts = container.volumeMounts.flatMap(({ name, mountPath, readOnly }) => [
      join(folder, name),
      mountPath,
      readOnly === true ? 'ro' : 'rw',
    ]);
    const words = [...(container.command ?? unpacked.config.Entrypoint), ...container.args];
    const { code, stdout, stderr } = await bench.run(
      'unshare',
      [
        '--mount',
        '--',
        '/bin/sh',
        script,
        unpacked.root,
        user,
        ...mounts,
        cluster.repository,
        REPOSITORY,
        'rw',
        '--',
        ...words.map(expanded),
      ],
      { env: environment(container, unpacked, cluster), exit: 'any' },
    );
    output += `${stdout}${stderr}`;
    if (code !== 0) return { code, output };
  }
  return { code: 0, output };
}

const REPOSITORY = '/srv/network.git';
let pods = 0;

const podOf = (job: CronJob) => job.spec.jobTemplate.spec.template.spec;

function environment(
  { env }: Container,
  { config }: Unpacked,
  { secrets, address }: Cluster,
): NodeJS.ProcessEnv {
  const declared = env.map(({ name, value, valueFrom }) => {
    const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {};
    return [name, expanded(value ?? secrets[secret]?.[key] ?? '')];
  });
  return {
    ...Object.fromEntries(config.Env.map(pair => pair.split(/=(.*)/s).slice(0, 2))),
    ...Object.fromEntries(declared),
    PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.file://${REPOSITORY}.insteadOf`,
    GIT_CONFIG_VALUE_0: address,
  };
}
