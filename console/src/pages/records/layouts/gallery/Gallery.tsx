// Records as cards with a picture: the first one of a field of files. More of them are read as the page is scrolled.
import { useCallback, useEffect, useRef, useState } from "react"
import type { Field, RecordRow } from "../../../../api/types.ts"
import { gallery as texts } from "../../../../texts/records/layoutsGallery.ts"
import { icons } from "../../../../ui/icons.tsx"
import { Failure, Loading } from "../../../../ui/states.tsx"
import { useHead, useRows } from "../../grid/useRows.ts"
import { CardLink, CardValues, writeState } from "../Card.tsx"
import type { LayoutProps } from "../layoutProps.ts"
import { cellOf, withWrites } from "../seenCells.ts"
import { useWritesByRecord } from "../seenRecords.ts"
import { stableLink } from "./stableLink.ts"

/** Records that come at a time, and at most. */
const STEP = 60
const MOST_CARDS = 2_000

interface Picture {
  readonly id: number
  readonly filename: string
  readonly mimetype: string
  readonly download_url: string
}
const pictureOf = (record: RecordRow, cover: Field | undefined): Picture | undefined =>
  cover === undefined
    ? undefined
    : ((cellOf(record, cover)?.values ?? []) as ReadonlyArray<{ readonly value: Picture }>)
        .map(({ value }) => value)
        .find(({ mimetype }) => mimetype.startsWith("image/"))

const Cover = ({ picture }: { readonly picture: Picture | undefined }) => {
  const [failedId, setFailedId] = useState<number>()
  if (picture === undefined || failedId === picture.id) return <div className="cover no-cover">{icons.picture}</div>
  return (
    <div className="cover">
      <img
        src={stableLink(picture.id, picture.download_url)}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        onError={() => setFailedId(picture.id)}
      />
    </div>
  )
}

const Gallery = ({ app, chosen, fields, open, search }: LayoutProps) => {
  const [count, setCount] = useState(STEP)
  const head = useHead(app.app_id, search)
  const total = head.data?.total ?? 0
  const shownCount = Math.min(count, total, MOST_CARDS)
  const rows = useRows(app.app_id, search, head, 0, shownCount)
  const unsavedWrites = useWritesByRecord(app.app_id)
  const end = useRef<HTMLDivElement>(null)
  const hasMore = shownCount < Math.min(total, MOST_CARDS)
  const showMore = useCallback(() => setCount((before) => before + STEP), [])
  // Watched anew for each step: a page that is higher than the step sees the end all the time.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step has an end of its own
  useEffect(() => {
    const element = end.current
    if (element === null) return
    const observer = new IntersectionObserver((entries) => entries.at(-1)!.isIntersecting && showMore(), {
      rootMargin: "600px"
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [shownCount, hasMore, showMore])
  if (head.isError)
    return <Failure what={texts.loadingRecordsFailed} error={head.error} again={() => void head.refetch()} />
  if (head.data === undefined) return <Loading />
  const cardFields = fields.filter(({ field_id }) => field_id !== chosen.cover?.field_id)
  return (
    <>
      {rows.failed !== undefined && (
        <Failure
          what={texts.loadingRecordsFailed}
          error={rows.failed.error}
          again={() => void rows.failed?.refetch()}
        />
      )}
      <ul className="plain gallery" aria-label={texts.recordsOf(app.name)}>
        {Array.from({ length: shownCount }, (_, index) => {
          const row = rows.rowAt(index)
          // biome-ignore lint/suspicious/noArrayIndexKey: a record that is not read yet has no other name
          if (row === undefined) return <li key={`row ${index}`} className="gallery-card" aria-hidden="true" />
          const record = withWrites(row, unsavedWrites.get(row.record_id))
          return (
            <li
              key={record.record_id}
              className="gallery-card"
              data-card={record.record_id}
              data-write={writeState(unsavedWrites.get(record.record_id))}
            >
              <Cover picture={pictureOf(record, chosen.cover)} />
              <div className="gallery-words">
                <CardLink app={app} record={record} open={open} />
                <CardValues fields={cardFields} record={record} />
              </div>
            </li>
          )
        })}
      </ul>
      {hasMore && <div ref={end} className="more-cards" />}
      {total > MOST_CARDS && shownCount === MOST_CARDS && (
        <p className="muted">{texts.firstMostCardsOfTotal(MOST_CARDS.toLocaleString(), total.toLocaleString())}</p>
      )}
    </>
  )
}
export default Gallery
