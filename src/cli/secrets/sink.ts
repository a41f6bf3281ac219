// Places for secrets that the server shows once. One that cannot take them is refused before any write.
import type { KeepSecret } from '../../apply/run/port.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Plan } from '../../model/plan.ts';
import type { Io } from '../io.ts';
import type { AwaitedSecret } from './awaitedSecret.ts';
import type { SinkFlag } from './sinkFlag.ts';
import { toCommand } from './toCommand.ts';
import { toFile } from './toFile.ts';
import { toGithub } from './toGithub.ts';
import { toGitlab } from './toGitlab.ts';

/** The secrets that carrying out a plan will be shown. */
export function awaitedSecrets({ actions }: Plan, kinds: KindTable): AwaitedSecret[] {
  return actions.flatMap(({ verb, kind, address }) => {
    const field = kinds.get(kind)?.oneTimeSecret;
    return verb === 'create' && field !== undefined ? [{ address, field }] : [];
  });
}

/** Makes the place ready; undefined where nothing will come. Throws a `Stop` where it cannot take what will. */
export async function openSink(
  flag: SinkFlag | undefined,
  awaited: readonly AwaitedSecret[],
  io: Io,
): Promise<KeepSecret | undefined> {
  if (flag === undefined || awaited.length === 0) return undefined;
  return oneAtATime(await sinkOf(flag, awaited, io));
}

function sinkOf(
  flag: SinkFlag,
  awaited: readonly AwaitedSecret[],
  io: Io,
): Promise<KeepSecret> | KeepSecret {
  switch (flag.to) {
    case 'file':
      return toFile(flag.path, io);
    case 'exec':
      return toCommand(flag.command, io);
    case 'github':
      return toGithub(flag.as, awaited, io);
    case 'gitlab':
      return toGitlab(flag.path, awaited, io);
  }
}

// Two lines at once could run into each other, and a command may not expect a second one of itself.
function oneAtATime(keep: KeepSecret): KeepSecret {
  let last: Promise<unknown> = Promise.resolve();
  return secret => {
    const mine = last.then(() => keep(secret));
    last = mine;
    return mine;
  };
}
