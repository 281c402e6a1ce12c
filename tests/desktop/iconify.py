# Plays the window manager: says that a window is iconified, or normal again, as ICCCM 4.1.3.1 wants it said.
#   python3 iconify.py WINDOW 1|0
import ctypes
import sys

NORMAL, ICONIC = 1, 3
REPLACE = 0

x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XInternAtom.restype = ctypes.c_ulong

window, is_iconic = int(sys.argv[1]), sys.argv[2] == "1"
display = ctypes.c_void_p(x11.XOpenDisplay(None))
if not display:
    sys.exit("no display")
wm_state = ctypes.c_ulong(x11.XInternAtom(display, b"WM_STATE", 0))
value = (ctypes.c_long * 2)(ICONIC if is_iconic else NORMAL, 0)  # the state and the icon's window, which there is none of
x11.XChangeProperty(display, ctypes.c_ulong(window), wm_state, wm_state, 32, REPLACE, value, 2)
x11.XSync(display, 0)
x11.XCloseDisplay(display)
