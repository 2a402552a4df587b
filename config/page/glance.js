// The six timelines of the first screen (postproc/html/still.h), as charts.

const glances = [];
function buildGlance() {
  const place = $("glance"), stills = [...place.children];
  for (const { title, lines } of data.glance) {
    if (!lines.length) { place.append(make("figure", {}, make("figcaption", {}, make("b", {}, title), " ", make("span", {}, "not counted here")))); continue; }
    const c = chart(lines.map(([n]) => data.lines[n]), data.lines[lines[0][0]].s, false, { title, names: new Map(lines.map(([n, name]) => [data.lines[n], name])) });
    glances.push(c);
    place.append(c.figure);
  }
  for (const still of stills) still.hidden = true;
}
