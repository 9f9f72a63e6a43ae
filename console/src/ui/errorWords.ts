// Words for a request that failed: what happened and what to do, by the API's codes (developer-api.md 1.5). What a form's fields are called
// comes from the form (placeWords.ts).
import { ApiError, type ErrorBody, type ErrorCode, TransportError } from "@millrace/client"
import { isNotFound } from "../api/client.ts"
import { SignedOut } from "../api/session.ts"
import { errorWords as texts } from "../texts/ui/errorWords.ts"
import { type Labels, placeWords } from "./placeWords.ts"

const FEWEST_SECONDS = 1
const secondsOf = ({ headers }: ApiError) =>
  Math.max(FEWEST_SECONDS, Math.ceil(Number(headers.get("retry-after") ?? FEWEST_SECONDS)))

/** The service says itself that nothing was changed (docs/api.md, Errors). */
const isUnchanged = ({ message }: ApiError) => message.includes("nothing was changed")

/** A conflict of revisions, as an `If-Match` or a batch meets it; every other one says what is in the way. */
const isOfRevisions = ({ message }: ApiError) => /^If-Match |revision: record |changed at the same moment/.test(message)

const isBudget = ({ body }: ApiError) => "rate_limit" in body

const rights = /^This needs more rights on /

const faultWords = (error: ApiError) =>
  [
    isUnchanged(error) ? texts.nothingWasChanged : texts.maybeChanged,
    ...(error.requestId === null ? [] : [texts.tellTheOperator(error.requestId)])
  ].join(" ")

const wordsByPlace = (error: ApiError, labels: Labels) => placeWords(error.message, labels)

const uniqueWords = (error: ApiError, labels: Labels) => {
  const { duplicates } = error.body as ErrorBody<"unique_conflict">
  if (duplicates !== undefined) return wordsByPlace(error, labels)
  const key = /fields\.([\w-]+): /.exec(error.message)?.[1]
  return texts.valueIsTaken((key !== undefined && labels[`fields.${key}`]) || texts.anotherField)
}

const ofThePage = ({ message }: ApiError) => texts.pageFault(message)

const wordsOfCode: Readonly<Record<ErrorCode, (error: ApiError, labels: Labels) => string>> = {
  validation: wordsByPlace,
  input_validation: wordsByPlace,
  invalid_json: ofThePage,
  invalid_request: ofThePage,
  invalid_request_url: ({ message }) =>
    /_id: expected a positive integer/.test(message) ? texts.addressLeadsNowhere : texts.pageFault(message),
  record_deleted: () => texts.isInTheTrash,
  hook_verification_code_invalid: () => texts.codeIsWrong,
  dev_api_authentication: () => texts.sessionHasEnded,
  dev_api_invalid_access_token: () => texts.sessionHasEnded,
  forbidden: () => texts.roleDoesNotAllow,
  restricted_resource: ({ message }) => texts.mayNot(rights.test(message) ? texts.askForAccess : message),
  not_found: () => texts.isGone,
  record_not_exists: () => texts.isGone,
  conflict_error: (error, labels) => (isOfRevisions(error) ? texts.changedMeanwhile : wordsByPlace(error, labels)),
  unique_conflict: uniqueWords,
  automation_owner_lost: () => texts.ownerIsLost,
  too_many_requests: (error) =>
    isBudget(error) ? texts.tooManyRequests(secondsOf(error)) : texts.messageAndWait(error.message, secondsOf(error)),
  internal_server_error: faultWords,
  service_unavailable: (error) => (isUnchanged(error) ? texts.databaseIsAway(secondsOf(error)) : texts.databaseWentAway)
}

/** Says for people what happened and what to do. @param labels of the form's fields, by the paths that the API names */
export const errorWords = (error: unknown, labels: Labels = {}): string => {
  if (isNotFound(error)) return texts.isGone
  if (error instanceof ApiError) {
    // A service of a later release may have codes that this page does not know yet.
    const words: (typeof wordsOfCode)[ErrorCode] | undefined = wordsOfCode[error.code as ErrorCode]
    return (words ?? wordsByPlace)(error, labels)
  }
  if (error instanceof SignedOut) return texts.sessionHasEnded
  return error instanceof TransportError ? texts.noConnection : texts.unknownFault
}
