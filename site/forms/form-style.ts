// The style of the hosted pages, sent inside each page so that it loads nothing else. Text has a contrast of at least 4.5:1.
import { createHash } from 'node:crypto';

export const formStyle = `
:root{color-scheme:light dark;--ground:light-dark(#f6f8f8,#0f1518);--raised:light-dark(#fff,#172024);--line:light-dark(#d9e0e0,#2a363b);--edge:light-dark(#7d8c8a,#6d807e);--text:light-dark(#17211f,#e4ebea);--muted:light-dark(#52615f,#9db0ae);--accent:light-dark(#0b6e5f,#62d2bc);--on-accent:light-dark(#fff,#06231e);--soft:light-dark(#e3f1ee,#173029);--bad:light-dark(#b3261e,#ff8f86);--bad-soft:light-dark(#fdecea,#35191a)}
*,::before,::after{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","DejaVu Sans",sans-serif}
header,main,footer{max-width:46rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2.5rem}
h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.015em;margin:0 0 .35rem;text-wrap:balance}
h1:last-child{margin-bottom:1.25rem}
.lead{color:var(--muted);margin:0 0 1.5rem}
.facts{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;padding:0;margin:0 0 1.75rem}
.facts li{background:var(--soft);border-radius:99px;padding:.2rem .8rem;font-size:.9rem}
fieldset,.card{background:var(--raised);border:1px solid var(--line);border-radius:12px;padding:1.25rem 1.5rem 1.5rem;margin:0 0 1.25rem;min-width:0}
h2{font-size:1.1rem;line-height:1.3;margin:0 0 .4rem}
form>h2{margin-bottom:.8rem}
.card p:first-child{margin-top:0}
.card p:last-child{margin-bottom:0}
legend{float:left;width:100%;font-weight:650;font-size:1.1rem;padding:0;margin:0 0 .75rem}
legend+*{clear:both}
fieldset fieldset:not(.plain){background:var(--ground);padding:1rem 1.1rem 1.1rem;border-radius:10px}
fieldset fieldset legend{font-size:1rem}
.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(14rem,100%),1fr));gap:.9rem 1.1rem}
.wide{grid-column:1/-1}
label,.label{display:block;font-weight:550;font-size:.93rem;margin-bottom:.25rem}
.optional{color:var(--muted);font-weight:400}
.hint{color:var(--muted);font-size:.88rem;margin:.1rem 0 .6rem}
input:not([type=checkbox]),select,textarea{width:100%;font:inherit;color:inherit;background:var(--raised);border:1px solid var(--edge);border-radius:8px;padding:.55rem .7rem;min-height:2.75rem}
textarea{min-height:6.5rem;resize:vertical}
:focus-visible{outline:3px solid var(--accent);outline-offset:1px}
[aria-invalid=true]{border-color:var(--bad)!important;border-width:2px!important}
.error{color:var(--bad);font-size:.9rem;margin:.3rem 0 0;font-weight:550}
.summary{background:var(--bad-soft);border:1px solid var(--bad);border-radius:12px;padding:1rem 1.5rem;margin:0 0 1.5rem}
.summary p{margin:0}
.summary dl{margin:.75rem 0 0}
.summary ul{margin:0;padding-left:1.2rem}
.summary a{color:inherit}
.note{background:var(--soft);border-radius:12px;padding:1rem 1.5rem;margin:0 0 1.5rem;white-space:pre-line}
.checks{display:flex;flex-wrap:wrap;gap:.35rem 1.1rem}
.checks label{display:flex;align-items:center;gap:.45rem;font-weight:400;margin:0;min-height:2rem}
.checks input{width:1.15rem;height:1.15rem;accent-color:var(--accent)}
button{font:inherit;font-weight:600;border-radius:8px;padding:.65rem 1.3rem;min-height:2.75rem;cursor:pointer;border:1px solid var(--accent);background:none;color:var(--accent)}
a.button{display:inline-block;font-weight:600;border-radius:8px;padding:.65rem 1.3rem;text-decoration:none;background:var(--accent);color:var(--on-accent)}
button.main{background:var(--accent);color:var(--on-accent)}
button.small{padding:.3rem .8rem;min-height:2.2rem;font-size:.9rem;margin-top:.9rem}
.aside{position:absolute;left:-9999px}
.plain{border:0;padding:0;margin:0;background:none}
.plain legend{font-size:.93rem;font-weight:550;margin-bottom:.25rem}
.steps{display:flex;flex-wrap:wrap;gap:.4rem 1.4rem;list-style:none;padding:0;margin:0 0 1.5rem;font-size:.93rem}
.steps li,.steps button{display:flex;align-items:center;gap:.5rem;min-height:2.25rem;color:var(--muted)}
.steps button,button.link{padding:0;border:0;border-radius:4px;font-weight:400;text-decoration:underline}
.steps button:hover,button.link:hover{text-decoration-thickness:2px}
button.link{min-height:2.25rem;color:var(--accent)}
.steps .mark{display:grid;place-items:center;flex:none;width:1.75rem;height:1.75rem;border-radius:50%;border:1px solid var(--edge);font-weight:650}
.steps .current{color:var(--text);font-weight:650}
.steps .current .mark,.steps .done .mark{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.steps .wrong .mark{background:var(--bad-soft);border-color:var(--bad);color:var(--bad)}
.said{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.find{display:flex;gap:.6rem;align-items:end;flex-wrap:wrap;grid-column:1/-1}
.find>div{flex:1 1 14rem}
.found{list-style:none;padding:0;margin:0;grid-column:1/-1;display:grid;gap:.4rem}
.found button{text-align:left;font-weight:500;width:100%;padding:.45rem .8rem;margin:0}
.actions{display:flex;flex-wrap:wrap;gap:.7rem;align-items:center;margin:1.5rem 0 2rem}
.answers{display:grid;grid-template-columns:minmax(8rem,1fr) 2fr;gap:.5rem 1.1rem;margin:0}
.answers dt{color:var(--muted)}
.answers dd{margin:0;overflow-wrap:anywhere;white-space:pre-line}
.part{display:flex;justify-content:space-between;gap:1rem;align-items:baseline}
.part h2{margin-bottom:.8rem}
a{color:var(--accent)}
@media(max-width:32rem){.answers{grid-template-columns:1fr;gap:0}.answers dd{margin-bottom:.7rem}fieldset,.card{padding:1rem 1rem 1.2rem}.actions button{flex:1 1 100%}}
.drop{padding:1.6rem 1rem!important;border-style:dashed!important;background:var(--soft)!important;cursor:pointer}
.drop::file-selector-button{font:inherit;font-weight:600;color:var(--accent);background:var(--raised);border:1px solid var(--accent);border-radius:8px;padding:.45rem .9rem;margin-right:.8rem;cursor:pointer}
.scroll{overflow-x:auto;margin:.9rem 0 0;border:1px solid var(--line);border-radius:10px}
table{border-collapse:collapse;width:100%;font-size:.88rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:650;padding:.6rem .8rem .3rem}
th,td{text-align:left;padding:.35rem .8rem;border-top:1px solid var(--line);white-space:nowrap;vertical-align:top}
thead th{color:var(--muted);font-weight:550}
tbody th{font-weight:400;color:var(--muted)}
h3{font-size:1rem;line-height:1.3;margin:0 0 .3rem}
.summary li{overflow-wrap:anywhere}
section .summary{margin:.75rem 0 0}
details{margin-top:1.1rem}
summary{cursor:pointer;font-weight:550;font-size:.93rem;min-height:2.25rem;display:list-item;padding:.35rem 0;color:var(--accent)}
footer{color:var(--muted);font-size:.88rem;padding-bottom:3rem}
`;

/** The hash of the style for the content security policy. */
export const formStyleHash = `'sha256-${createHash('sha256').update(formStyle).digest('base64')}'`;
