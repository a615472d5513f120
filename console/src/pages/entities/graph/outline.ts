/** A form for each type, so that the colour is not alone in telling them apart. All have about the area of the circle. */
export function outline(type: string, radius: number): string {
  const r = radius.toFixed(2);
  if (type === "org") {
    const side = (radius * 0.89).toFixed(2);
    return `M-${side} -${side}H${side}V${side}H-${side}Z`;
  }
  if (type === "place") {
    const far = (radius * 1.25).toFixed(2);
    return `M0 -${far}L${far} 0L0 ${far}L-${far} 0Z`;
  }
  if (type === "project") {
    const corners = Array.from({ length: 6 }, (_, corner) => {
      const angle = (corner * Math.PI) / 3;
      return `${(1.1 * radius * Math.cos(angle)).toFixed(2)} ${(1.1 * radius * Math.sin(angle)).toFixed(2)}`;
    });
    return `M${corners.join("L")}Z`;
  }
  return `M-${r} 0A${r} ${r} 0 1 0 ${r} 0A${r} ${r} 0 1 0 -${r} 0Z`;
}
