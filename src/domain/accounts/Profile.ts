// What GET /v1/user shows of a user beside the credential (service.md 7.2): the columns and joins of its one query. An endpoint
// that asks for it (`Requires.profile`) gets it with the look-up of the credential, so that a request is one round trip.
export interface Profile {
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly image: string | null
  readonly job_description: string | null
  readonly status: string
  readonly timezone: string
  readonly org_name: string
  readonly org_slug: string
}

/** Of `users u`, with the joins. */
export const profileColumns = `u.name, p.email, u.phone, u.image, u.job_description, u.status, u.timezone, o.name AS org_name,
  o.slug AS org_slug`
export const profileJoins = "JOIN people p ON p.person_id = u.person_id JOIN organizations o ON o.org_id = u.org_id"
