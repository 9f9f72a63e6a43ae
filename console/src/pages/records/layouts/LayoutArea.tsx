// The records of an app in another layout than a table, loaded when it is first chosen.
import { lazy, Suspense } from "react"
import { Empty, Loading } from "../../../ui/states.tsx"
import type { LayoutProps } from "./layoutProps.ts"
import "./layouts.css"
import { layoutArea as texts } from "../../../texts/records/layouts.ts"

const layouts = {
  board: lazy(() => import("./board/Board.tsx")),
  calendar: lazy(() => import("./calendar/Calendar.tsx")),
  gallery: lazy(() => import("./gallery/Gallery.tsx"))
}

/** Names the field that an app lacks for a layout. */
const lacking = ({ chosen: { board, layout, start } }: LayoutProps) => {
  if (layout === "board" && board === undefined)
    return { title: texts.boardNeedsAStatus, words: texts.itsColumnsAreTheOptions }
  if (layout === "calendar" && start === undefined)
    return { title: texts.calendarNeedsADate, words: texts.itShowsRecords }
  return undefined
}

const LayoutArea = (props: LayoutProps) => {
  const { layout } = props.chosen
  const lack = lacking(props)
  if (layout === "table") return null
  if (lack !== undefined)
    return (
      <Empty title={lack.title}>
        <p className="muted">{lack.words}</p>
      </Empty>
    )
  const Chosen = layouts[layout]
  return (
    <div className="layout">
      <Suspense fallback={<Loading />}>
        <Chosen {...props} />
      </Suspense>
    </div>
  )
}
export default LayoutArea
