// A folder of files for an account that is in use, applied once with a base.
import { expectCode, type Teams, teams } from './teams.ts';

export const NETWORK = `groups: [{ name: staff }, { name: gateways }, { name: vault }]
networks:
  - name: prod
    resources: [{ name: db, address: 10.20.0.5, groups: [vault] }]
    routers: [{ peer_groups: [gateways], metric: 100, masquerade: true }]
`;

/** The files of the folder; what is absent stays as it is. */
export interface Files {
  readonly project?: string;
  readonly network?: string;
}

/** The repository and its account after the first apply. */
export interface AppliedFiles extends Teams {
  /** Writes and commits files. */
  readonly change: (files: Files) => Promise<void>;
}

/** An account that is in use, with the base of files that declare `network` and `project`. */
export const applied = (
  { project, network = NETWORK }: Files,
  story: (all: AppliedFiles) => Promise<void>,
) =>
  teams(async all => {
    const { id, commit, apply, account } = all;
    await account.call('POST', '/api/groups', { name: 'in use' });
    await account.enrol('mia', []);
    // Only what the files open is open.
    for (const { id: policy } of (await account.call('GET', '/api/policies')) as { id: string }[])
      await account.call('DELETE', `/api/policies/${policy}`);
    const change = ({ project: text, network: objects }: Files) =>
      commit({
        ...(text !== undefined && { 'net/meshform.yaml': `account: ${id}\n${text}` }),
        ...(objects !== undefined && { 'net/network.yaml': objects }),
      });
    await change({ project: project ?? '', network });
    expectCode(await apply('net'), 0);
    await story({ ...all, change });
  });
