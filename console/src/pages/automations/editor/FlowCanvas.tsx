// The flow on a wide screen, drawn by React Flow as far as the page reaches: it is read and scrolled with the page, dragged sideways where
// branches are wide. Its parts are buttons in reading order; the keyboard is ours (useKeyboard.ts).
import { type Edge, Handle, type Node, type NodeProps, Position, ReactFlow, type Viewport } from "@xyflow/react"
import "@xyflow/react/dist/style.css"
import { useLayoutEffect, useMemo, useRef, useState } from "react"
import { useEditor } from "./context.ts"
import { CARD, type FlowNode, flowOf, PLUS } from "./model/layout.ts"
import type { Place } from "./model/steps.ts"
import { PlusButton } from "./PlusButton.tsx"
import { FilterCard, StepCard, TriggerCard } from "./StepCard.tsx"

type Drawn = Node<{ readonly part: FlowNode; readonly add: (place: Place) => void }, "part">

const Part = ({ data: { add, part } }: NodeProps<Drawn>) => (
  <>
    <Handle type="target" position={Position.Top} isConnectable={false} />
    {part.kind === "trigger" ? (
      <TriggerCard />
    ) : part.kind === "filter" ? (
      <FilterCard />
    ) : part.kind === "step" ? (
      <StepCard step={part.step} number={part.number} />
    ) : part.kind === "plus" ? (
      <PlusButton place={part.place} add={add} />
    ) : (
      <span className="branch-name">{part.words}</span>
    )}
    <Handle type="source" position={Position.Bottom} isConnectable={false} />
  </>
)
const nodeTypes = { part: Part }

const sizes = {
  trigger: CARD,
  filter: CARD,
  step: CARD,
  plus: { width: PLUS, height: PLUS },
  name: { width: CARD.width, height: 24 }
} as const

const MARGIN = 16

export const FlowCanvas = ({ add }: { readonly add: (place: Place) => void }) => {
  const { draft } = useEditor()
  const { actions } = draft.now
  const layout = useMemo(() => flowOf(actions), [actions])
  const frame = useRef<HTMLDivElement>(null)
  const [wide, setWide] = useState(0)
  const [view, setView] = useState<Viewport>({ x: 0, y: MARGIN, zoom: 1 })
  // Before it is painted: no card stands elsewhere for a moment.
  useLayoutEffect(() => {
    setWide(frame.current?.clientWidth ?? 0)
    const watch = new ResizeObserver(([entry]) => setWide(entry?.contentRect.width ?? 0))
    if (frame.current !== null) watch.observe(frame.current)
    return () => watch.disconnect()
  }, [])
  const zoom = wide === 0 ? 1 : Math.max(0.6, Math.min(1, (wide - 2 * MARGIN) / layout.width))
  useLayoutEffect(() => {
    setView({ x: Math.max(MARGIN, (wide - layout.width * zoom) / 2), y: MARGIN, zoom })
  }, [layout.width, wide, zoom])
  const nodes = useMemo(
    () =>
      layout.nodes.map((part): Drawn => {
        const { height, width } = sizes[part.kind]
        return {
          id: part.id,
          type: "part",
          position: { x: part.x, y: part.y },
          data: { part, add },
          width,
          height,
          handles: [
            { type: "target", position: Position.Top, x: width / 2, y: 0 },
            { type: "source", position: Position.Bottom, x: width / 2, y: height }
          ]
        }
      }),
    [add, layout]
  )
  const edges = useMemo(
    () =>
      layout.edges.map(({ from, id, to }): Edge & { readonly pathOptions: object } => ({
        id,
        source: from,
        target: to,
        type: "smoothstep",
        pathOptions: { offset: 8, borderRadius: 8 }
      })),
    [layout]
  )
  return (
    <div ref={frame} className="flow-canvas" style={{ height: layout.height * zoom + 2 * MARGIN }}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        viewport={view}
        onViewportChange={(next) => setView({ ...next, y: MARGIN })}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        zoomOnScroll={false}
        zoomOnPinch={false}
        zoomOnDoubleClick={false}
        preventScrolling={false}
        minZoom={0.4}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        panActivationKeyCode={null}
        zoomActivationKeyCode={null}
        disableKeyboardA11y
      />
    </div>
  )
}
