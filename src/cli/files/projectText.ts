// The first text of a project file.
import { jsonString } from '../../model/text/visible.ts';

const NAMES = 'the id of group All: allows these files for this account only';

/** The text of a new `meshform.yaml`, with the id of the account in a comment if it is known, and the dialect if it was chosen. */
export function projectText(account?: string, dialect?: string): string {
  const known = account === undefined ? '…' : jsonString(account);
  return `# meshform's project file: settings of this folder that are not desired state.
# url: https://api.example.com        # must be the same as MESHFORM_URL or --url; without them, you are asked once
${(dialect === undefined ? '# dialect: netbird' : `dialect: ${dialect}`).padEnd(37)} # netbird: NetBird, cloud or self-hosted; spec: servers that follow the
                                      # specification; meshform detects it if omitted
${`# account: ${known}`.padEnd(37)} # ${NAMES}

# How many objects a run may delete without --allow OVER_THRESHOLD.
thresholds:
  default: { share: 0.3 }
`;
}
