// States of a page: loading, empty, failed, each in words, with what can be done.
import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { states as texts } from "../texts/ui/ui.ts"
import { errorWords } from "./errorWords.ts"
import type { Labels } from "./placeWords.ts"

export const Loading = () => (
  <div className="loading" role="status">
    <span className="bar" />
    <span className="bar" />
    <span className="bar" />
    <span className="unseen">{texts.loading}</span>
  </div>
)

interface EmptyProps {
  readonly title: string
  readonly children?: ReactNode
}
export const Empty = ({ title, children }: EmptyProps) => (
  <div className="empty">
    <h2>{title}</h2>
    {children}
  </div>
)

interface FailureProps {
  readonly what: string
  readonly error: unknown
  readonly again?: () => void
  /** Labels of the form's fields, by the paths that the API names. */
  readonly labels?: Labels
}
export const Failure = ({ what, error, again, labels }: FailureProps) => (
  <div className="note bad" role="alert">
    <p>
      <strong>{what}</strong> {errorWords(error, labels)}
    </p>
    {again === undefined ? null : (
      <button type="button" className="quiet small" onClick={again}>
        {texts.tryAgain}
      </button>
    )}
  </div>
)

interface AskedProps<A> {
  readonly query: UseQueryResult<A>
  /** Sentence for a query that failed. */
  readonly failed: string
  readonly children: (data: A) => ReactNode
}
/** The three states of a question, in one place. What is known already stays on the screen when a renewal fails. */
export const Asked = <A,>({ query, failed, children }: AskedProps<A>) => {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failure what={failed} error={query.error} again={() => void query.refetch()} />
  return <Loading />
}
