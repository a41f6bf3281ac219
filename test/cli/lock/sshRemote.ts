// A Git remote over SSH: OpenSSH's own server behind a port of this process, with keys that are made for one test.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';

const SERVER = '/usr/sbin/sshd';
const { uid, username } = userInfo();

/** Whether this machine has OpenSSH's server; root's needs a folder that the system makes when it starts it. */
export const hasSshServer = existsSync(SERVER) && (uid !== 0 || existsSync('/run/sshd'));

export interface SshRemote {
  readonly url: string;
  /** What git starts as `ssh`: it knows the key of the server, and has one that the server accepts. */
  readonly command: string;
  readonly close: () => void;
}

/** Serves a bare repository; keys and settings are in this folder. */
export async function sshRemote(repository: string, folder: string): Promise<SshRemote> {
  await mkdir(folder, { mode: 0o700 });
  const path = (name: string): string => join(folder, name);
  for (const name of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path(name)]);
  await rename(path('user.pub'), path('accepted'));
  const settings = [
    `HostKey ${path('host')}`,
    `AuthorizedKeysFile ${path('accepted')}`,
    'PasswordAuthentication no',
    // Folders for temporary files may be written to by anybody.
    'StrictModes no',
  ];
  await writeFile(path('settings'), `${settings.join('\n')}\n`);
  // One server for each connection, as inetd starts them: no port has to be free at a later time.
  const serve = (socket: Socket): void => {
    spawn(SERVER, ['-i', '-f', path('settings')], { stdio: [socket, socket, 'ignore'] });
    socket.destroy();
  };
  const server = createServer({ pauseOnConnect: true }, serve);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await writeFile(path('known'), `[127.0.0.1]:${port} ${await readFile(path('host.pub'), 'utf8')}`);
  return {
    url: `ssh://${username}@127.0.0.1:${port}${repository}`,
    command: `ssh -F none -i ${path('user')} -o IdentitiesOnly=yes -o UserKnownHostsFile=${path('known')}`,
    close: () => server.close(),
  };
}
