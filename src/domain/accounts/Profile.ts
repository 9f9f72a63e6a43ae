// Profile of a user for GET /v1/user, in addition to the credential (service.md 7.2): columns and joins of its one query. An endpoint that
// requires it (`Requires.profile`) gets it with the lookup of the credential, so that a request is one round trip.
import { Schema, Struct } from "effect"

export const Profile = Schema.Struct({
  name: Schema.String,
  email: Schema.String,
  phone: Schema.NullOr(Schema.String),
  image: Schema.NullOr(Schema.String),
  job_description: Schema.NullOr(Schema.String),
  status: Schema.String,
  timezone: Schema.String,
  org_name: Schema.String,
  org_slug: Schema.String
})
export type Profile = typeof Profile.Type

/** Profile columns of a row, present only if they were requested. */
export const maybeProfile = Struct.map(Profile.fields, Schema.optionalKey)

/** Columns of `users u` and its joins. */
export const profileColumns = `u.name, p.email, u.phone, u.image, u.job_description, u.status, u.timezone, o.name AS org_name,
  o.slug AS org_slug`
export const profileJoins = "JOIN people p ON p.person_id = u.person_id JOIN organizations o ON o.org_id = u.org_id"
