from stages import BASE, save_result

save_result(BASE)
