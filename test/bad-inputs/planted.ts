// Secrets that every row has around it, and the search for them in whatever a command leaves behind.

/** Secrets in the environment; none of them is asked for by a row. */
export const PLANTED_ENV = {
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYplanted',
  DB_PASSWORD: 'pla"nted\\pass word&é',
  HOOK_URL: 'https://hooks.example.com/services/T0planted/B1planted/x9Yplanted',
} as const;

/** What stands in files beside the folder that is read, one of them with a name that links lead to. */
export const PLANTED_FILES = {
  'outside/token': 'nbp_plantedOutsideTheFolder0000000000000',
  'outside/secrets.yaml': 'groups: [{ name: planted-in-a-file-outside }]\n',
} as const;

const PLANTED = [
  ...Object.values(PLANTED_ENV),
  PLANTED_FILES['outside/token'],
  'planted-in-a-file-outside',
];

/** Forms of secrets that are in `text`; each is named by the secret's beginning and the form's name. */
export function secretsIn(text: string, more: readonly string[]): string[] {
  return [...PLANTED, ...more].flatMap(secret =>
    formsOf(secret).flatMap(([name, form]) =>
      text.includes(form) ? [`${secret.slice(0, 12)}… ${name}`] : [],
    ),
  );
}

function formsOf(secret: string): (readonly [name: string, form: string])[] {
  const bytes = Buffer.from(secret);
  // Where a secret stands in a longer text, its base64 depends on how many bytes are before it.
  const shifted = [0, 1, 2].map(before =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(before === 0 ? 0 : before + 1, -4),
  );
  return [
    ['plain', secret],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in an address', encodeURIComponent(secret)],
    ['in hexadecimal', bytes.toString('hex')],
    ['its beginning', secret.slice(0, Math.max(12, secret.length / 2))],
    ...shifted.map((form, i) => [`in base64, ${i} bytes on`, form] as const),
    ...shifted.map(
      (form, i) =>
        [`in base64url, ${i} bytes on`, form.replaceAll('+', '-').replaceAll('/', '_')] as const,
    ),
  ];
}
