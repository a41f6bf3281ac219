// The records of users, tokens, invites and setup keys. Only the digest of a secret is stored.

export type UserRecord = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly is_service_user: boolean;
  readonly auto_groups: readonly string[];
  readonly is_blocked: boolean;
  readonly pending_approval: boolean;
  /** Whether the person has been invited and has not signed in yet. */
  readonly invited: boolean;
  readonly issued: string;
  readonly idp_id: string;
  readonly created_at: string;
  readonly last_login: string;
};

/** A deleted user, whose name the log of their actions still shows. */
export type FormerUserRecord = Pick<UserRecord, 'id' | 'name' | 'email'>;

/** A token as its user sees it. The expiry and the last use are stored in the credential of the token. */
export type TokenRecord = {
  readonly id: string;
  readonly user: string;
  readonly name: string;
  readonly created_by: string;
  readonly created_at: string;
  readonly credential: string;
};

/** The credential of an account. Its id is the digest of the token. */
export type CredentialRecord = {
  readonly id: string;
  readonly account: string;
  readonly user: string;
  /** The expiry; empty if the token never expires. */
  readonly expires: string;
  /** The time of the last use; empty if the token was never used. */
  readonly last_used: string;
};

/** The hash of a person's password. The id is the id of the user. */
export type PasswordRecord = { readonly id: string; readonly digest: string };

export type InviteRecord = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly auto_groups: readonly string[];
  readonly expires_at: string;
  readonly created_at: string;
  readonly created_by: string;
  /** The digest of the invite's token. */
  readonly token: string;
};

export type SetupKeyRecord = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly expires: string;
  readonly revoked: boolean;
  readonly used_times: number;
  readonly last_used: string;
  readonly auto_groups: readonly string[];
  readonly updated_at: string;
  readonly usage_limit: number;
  readonly ephemeral: boolean;
  readonly allow_extra_dns_labels: boolean;
  /** The key as the API shows it, masked except for its beginning. */
  readonly masked: string;
  /** Digest of the key. */
  readonly digest: string;
};
